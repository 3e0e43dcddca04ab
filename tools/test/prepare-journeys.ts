import fillDemoShop from '#tests/support/demo-shop.ts'
import { ensureBrowser } from '../browser.ts'

/** Prepares what the journeys would wait for: their browser, and the shop that each of them copies. */
ensureBrowser()
await fillDemoShop()
