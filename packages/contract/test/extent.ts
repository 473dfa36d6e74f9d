/**
 * Whether tests that make up cases, or send much, are to do all that is ever asked of them. `npm test -- --all`
 * asks for it; otherwise they do enough to tell what was just broken, within seconds.
 */
export const isWholeRun = process.env['VITRINE_TEST_EXTENT'] === 'whole'
