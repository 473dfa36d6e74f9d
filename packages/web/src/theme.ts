import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** The green of aged copper, from the plinth to the patina. */
const verdigris: MantineColorsTuple = [
  '#e8f5f1',
  '#d0e8e1',
  '#a3d3c6',
  '#74bdaa',
  '#4ca893',
  '#2e9480',
  '#1b7d6b',
  '#0d6155',
  '#0a4d44',
  '#073a33',
]

const gray: MantineColorsTuple = [
  '#f7f6f2',
  '#efede7',
  '#e6e3da',
  '#dedbd2',
  '#c9c5b9',
  '#a9a598',
  '#767368',
  '#5c5b53',
  '#3c3c37',
  '#232421',
]

const dark: MantineColorsTuple = [
  '#d5dbd8',
  '#b0b9b5',
  '#8a958f',
  '#66716d',
  '#3a4541',
  '#29322f',
  '#1b2321',
  '#131917',
  '#101513',
  '#0b0f0e',
]

/** Mantine's own knobs; everything else is a token in `tokens.css`. */
export const theme = createTheme({
  colors: { verdigris, gray, dark },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '20px' },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: {
    xs: 'var(--text-s)',
    sm: 'var(--text-m)',
    md: 'var(--text-m)',
    lg: 'var(--text-l)',
    xl: 'var(--text-xl)',
  },
  spacing: {
    xs: 'var(--space-2)',
    sm: 'var(--space-3)',
    md: 'var(--space-4)',
    lg: 'var(--space-5)',
    xl: 'var(--space-6)',
  },
  respectReducedMotion: true,
})

/** Mantine's surfaces follow our tokens in both schemes. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-placeholder': 'var(--ink-soft)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
  }
  return { variables: {}, light: shared, dark: shared }
}
