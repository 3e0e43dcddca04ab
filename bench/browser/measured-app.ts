import type { Browser } from '@playwright/test'

export interface MeasuredApp {
  readonly browser: Browser
  readonly url: string
}
