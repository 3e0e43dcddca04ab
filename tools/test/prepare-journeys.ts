import fillDemoShop from '#tests/support/demo-shop.ts'
import { ensureBrowser } from '../browser.ts'

/** Prepares what the journeys need: their browser, and the demo shop that each of them copies. */
ensureBrowser()
await fillDemoShop()
