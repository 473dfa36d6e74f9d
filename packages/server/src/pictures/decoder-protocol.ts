/** Tasks of a process of `decoder.ts`: open a picture, and make a small one of it. */
export type DecoderTask = { kind: 'open'; bytes: Uint8Array } | { kind: 'shrink'; width: number }

export type DecoderReply =
  | { kind: 'open'; memory: number }
  | { kind: 'shrink'; picture: Uint8Array }
  | { kind: 'refused'; code: 'PICTURE_TOO_LARGE' | 'PICTURE_UNREADABLE' }

/** The exit code of a process that has taken too much memory. */
export const memoryExceeded = 70

/** Bytes of memory for one picture: one of 100 megapixels, of four bytes each (`decoder-process.ts`). */
export const pictureMemory = 560e6
