/** The account of test installations. */
export const admin = { username: 'admin', password: 'correct horse battery' }
