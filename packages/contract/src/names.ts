export const datasetNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
export const datasetNameReason =
  'must be 1 to 128 letters, digits, dots, underscores or hyphens, beginning with a letter or digit'
