import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/** `npm run test:keycloak`: signing in at a real Keycloak, one test after the other. */
export default defineConfig(config, {
  testMatch: ['keycloak.ts', 'keycloak-groups.ts', 'keycloak-sessions.ts', 'keycloak-team.ts'],
  workers: 1,
  fullyParallel: false,
})
