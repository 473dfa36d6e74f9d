/**
 * Whether tests that generate cases, or send much, run to their whole extent, as `npm run test:whole` sets it; otherwise
 * they do enough to tell what was just broken, within seconds.
 */
export const isWholeRun = process.env['VITRINE_TEST_EXTENT'] === 'whole'
