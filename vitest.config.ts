import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    include: ['{contract,server,src,sw,tests,content,bench,sandbox,tools}/**/*.test.{ts,tsx}'],
    exclude: ['tests/journeys/**', '**/node_modules/**'],
    // Two cores on the smallest machine; databases and argon2 take the rest.
    maxWorkers: 2,
    testTimeout: 20_000,
    // As with the journeys: servers are killed and raced here, and a busy machine may be slow once.
    retry: 1,
    hookTimeout: 60_000,
    globalSetup: ['tests/support/global-setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
