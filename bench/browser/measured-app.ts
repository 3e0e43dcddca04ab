import type { Browser } from '@playwright/test'

/** The app under measure: a running shop and a browser to visit it with. */
export interface MeasuredApp {
  readonly browser: Browser
  readonly url: string
}
