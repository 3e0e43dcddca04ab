import { defineConfig, devices } from '@playwright/test'
import { availableParallelism } from 'node:os'
import { SOON_MS } from './tests/support/wait-ms.ts'
import { journeyBrowser } from './tools/browser.ts'

/** The longest journeys start first; otherwise one could run alone at the end. */
const LONGEST = [
  'membership-year',
  'app-update',
  'download-recovery',
  'join-and-cancel',
  'listen-offline-and-sync',
  'give-a-membership',
].map((name) => `**/${name}*.spec.ts`)

/** Journeys through a real browser, with the service worker where a journey needs it, against a real server. */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.spec.ts',
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'journeys', testIgnore: LONGEST },
    { name: 'sandbox', testDir: 'tests/sandbox' },
  ],
  outputDir: 'test-results',
  snapshotPathTemplate: 'tests/pictures/{arg}{ext}',
  // A busy machine must not fail a test; one that hangs is still reported, only later.
  timeout: 300_000,
  expect: { timeout: SOON_MS },
  fullyParallel: true,
  // Each worker runs a browser and a shop: two of them use two cores fully, and a third would save no time.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  globalSetup: './tests/support/demo-shop.ts',
  use: {
    ...devices['Desktop Chrome'],
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    // Journeys that need it use `device({ worker: true })`.
    serviceWorkers: 'block',
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: journeyBrowser(),
      // Without a locale, Chromium names every download “download” whose file name is not ASCII.
      env: { ...process.env, LANG: 'C.UTF-8' },
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
})
