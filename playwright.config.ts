import { defineConfig, devices } from '@playwright/test'
import { availableParallelism } from 'node:os'
import { SOON_MS } from './tests/support/wait-ms.ts'
import { journeyBrowser } from './tools/browser.ts'

/** They begin first, so that none of them is left alone at the end. */
const LONGEST = [
  'a-year-of-membership',
  'a-new-release-never-interrupts',
  'a-download-survives-what-happens-to-it',
  'join-and-leave',
  'listen-in-the-tunnel-and-find-the-place-elsewhere',
  'give-a-membership',
].map((name) => `**/${name}*.spec.ts`)

/** Journeys as a user acts, in a real browser with the real service worker, against a real server each. */
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
  // A busy machine is no fault: what hangs is told all the same, only later.
  timeout: 300_000,
  expect: { timeout: SOON_MS },
  fullyParallel: true,
  // Each is a browser and a shop of its own: two of them keep two cores busy, and a third makes it no shorter.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  globalSetup: './tests/support/demo-shop.ts',
  use: {
    ...devices['Desktop Chrome'],
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    // `device({ worker: true })` where a journey is about it.
    serviceWorkers: 'block',
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: journeyBrowser(),
      // A bare machine names no language, and a browser without one calls every file “download” whose name is not plain.
      env: { ...process.env, LANG: 'C.UTF-8' },
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
})
