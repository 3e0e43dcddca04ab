import type { TestProject } from 'vitest/node'
import type { PageDetails } from '#contract/shop-details.ts'
import { OwnersDetails } from '#server/settings/owners-details.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What a page of the demo says about its shop. */
    shopDetails: PageDetails
  }
}

/** Once per run: an isolated test file would take a third of a second to load the server's settings for it. */
export const setup = (project: TestProject): void =>
  project.provide('shopDetails', new OwnersDetails(true).ofPages)
