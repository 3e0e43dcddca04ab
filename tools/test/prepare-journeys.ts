import fillDemoShop from '#tests/support/demo-shop.ts'
import { ensureBrowser } from '../browser.ts'

/** What the journeys would otherwise wait for: their browser, and the shop that each of them copies. */
ensureBrowser()
await fillDemoShop()
