import { inEngine } from './engine-sql.ts'

/** A primary key that numbers its rows and gives no number twice. */
export const numberedKey = inEngine((engine) => engine.numberedKey())
/** Whole numbers that JavaScript counts exactly. */
export const integer = inEngine((engine) => engine.integer())
/** 64-bit floating point numbers, never -0. */
export const number = inEngine((engine) => engine.number())
/** Text without U+0000, in the order of its code points. */
export const text = inEngine((engine) => engine.text())
export const bytes = inEngine((engine) => engine.bytes())
/** Ends a table whose columns take nothing but what is of their type. */
export const strict = inEngine((engine) => engine.tableEnd({ byKey: false }))
/** End of a strict table whose rows are found by the primary key alone. */
export const strictByKey = inEngine((engine) => engine.tableEnd({ byKey: true }))
