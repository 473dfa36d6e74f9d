// Mantine's styles, one file a component that the first screen uses, in the order in which Mantine
// builds on them; a page that uses another component imports that component's file beside it.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/ActionIcon.css'
import './font.css'
import './tokens.css'
import './base.css'
