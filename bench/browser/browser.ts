import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { chromium, type Browser } from '@playwright/test'
import fillDemoShop, { copyDemoShop } from '#tests/support/demo-shop.ts'
import { startServer, type RunningServer } from '../server.ts'
import type { Row } from '../report.ts'
import { measureFiltering } from './filtering.ts'
import { measureInteractions } from './interactions.ts'
import { measureLibrary } from './library.ts'
import { measureFirstVisit, measureHomeSize, measureOfflineVisit } from './paints.ts'
import type { MeasuredApp } from './measured-app.ts'
import { measureOfficeList } from './office-list.ts'
import { measureOwnHome } from './own-home.ts'
import { slowdownOfPhone } from './phone.ts'
import { measurePlayer } from './player.ts'
import { measureShifts } from './shifts.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

export const chromiumIsInstalled = (): boolean => existsSync(CHROMIUM)

const PAGES = {
  home: '/',
  listing: '/audiobooks',
  'book page': '/audiobooks/the-lamplighters-ledger',
  article: '/articles/the-margins-of-a-page',
}

export async function measureBrowser(): Promise<Row[]> {
  await fillDemoShop()
  const dataDir = copyDemoShop()
  let server: RunningServer | undefined
  let browser: Browser | undefined
  try {
    const env = { DATA_DIR: dataDir, DEMO: '1' }
    server = await startServer(env)
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    const slowdown = await slowdownOfPhone(browser)
    console.log(`The phone is this machine, slowed down ${slowdown.toFixed(1)} times`)
    const app = { browser, url: `http://127.0.0.1:${server.port}`, slowdown }
    return [
      ...(await measureFirstVisits(app)),
      await measureHomeSize(app),
      ...(await measureShifts(CHROMIUM, app, PAGES)),
      ...(await measureFiltering(app)),
      ...(await measureInteractions(app)),
      ...(await measureLibrary(app)),
      ...(await measureOfficeList(app, env)),
      ...(await measureOfflineVisit(app)),
      ...(await measureOwnHome(app)),
      ...(await measurePlayer(app)),
    ]
  } finally {
    await browser?.close()
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measureFirstVisits(app: MeasuredApp): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, path] of Object.entries(PAGES)) rows.push(...(await measureFirstVisit(app, name, path)))
  return rows
}
