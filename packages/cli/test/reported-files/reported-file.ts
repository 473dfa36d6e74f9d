type Options = {
  delimiter?: string
  quote?: string
  escape?: string
  null?: string
  header?: 'none'
}

export type ReportedFile = {
  /** Issue or pull request at GitHub: owner, repository and number. */
  report: string
  what: string
  name: string
  content: string | Buffer | Promise<Buffer>
  options?: Options
  /** Types by the names of the fields, as `--create` finds them, a `?` after those that are optional. */
  fields: Record<string, string>
  /** Columns that are called otherwise than their fields. */
  columns?: Record<string, string>
} & (
  | { rows: Record<string, unknown>[] }
  | {
      /** Part of the message, through HTTP and on the command line. */
      refused: string
    }
)
