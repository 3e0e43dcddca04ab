import type { Browser } from '@playwright/test'

export interface MeasuredApp {
  readonly browser: Browser
  readonly url: string
  /** How many times the CPU is slowed down to be as fast as the bench's phone. */
  readonly slowdown: number
}
