import { passwordCost } from '../src/access/provider/passwords.ts'

// At its real cost a hash takes a third of a second, and so does each sign-in.
passwordCost.logN = 4
