import { findPostgres } from '#tests/support/postgres.ts'
import { chromiumIsInstalled, measureBrowser } from './browser/browser.ts'
import { type BareServer, type Generator, startBareServer, startGenerator } from './children.ts'
import { measureAnswers } from './measures/answers.ts'
import { measureActivations } from './measures/cards.ts'
import { measureLists, measureMembersLists } from './measures/lists.ts'
import { measureFlood, measureLogIn } from './measures/log-in.ts'
import { measureMemory } from './measures/memory.ts'
import { measureProgress } from './measures/progress.ts'
import { measureSound } from './measures/sound.ts'
import { nginxIsInstalled } from './nginx.ts'
import { isMissed, printMachine, printTable, type Row } from './report.ts'
import { type DatabaseKind, type MeasuredShop, openShop } from './shop.ts'

/**
 * `npm run bench`: what the shop costs, as ratios of one run. `npm run bench -- server`, `-- browser`: one half; `-- members`:
 * their lists alone.
 */
const [part] = process.argv.slice(2)
printMachine()
const rows: Row[] = []
if (part !== 'browser') {
  rows.push(...(await measureServer('embedded')))
  if (findPostgres()) rows.push(...(await measureServer('PostgreSQL')))
  else console.log('\nPostgreSQL 15 or later is not installed here: only the embedded database was measured.')
}
if (part !== 'server' && part !== 'members') {
  if (chromiumIsInstalled()) {
    const found = await measureBrowser()
    printTable('In the browser', found)
    rows.push(...found)
  } else console.log('\nChromium is not installed here: nothing was measured in the browser.')
}
const missed = rows.filter(isMissed).length
console.log(missed === 0 ? '\nEvery goal is reached.' : `\n${missed} of ${rows.length} goals are missed.`)

async function measureServer(kind: DatabaseKind): Promise<Row[]> {
  const shop = await openShop(kind)
  const generator = startGenerator()
  const bare = await startBareServer()
  try {
    const found =
      part === 'members'
        ? [await measureMembersLists(shop, generator)]
        : await measureAll(kind, shop, generator, bare)
    printTable(`Server, ${kind}, ${shop.stock.titles.toLocaleString('en-GB')} titles`, found)
    return found
  } finally {
    await Promise.all([generator.stop(), bare.stop(), shop.close()])
  }
}

async function measureAll(
  kind: DatabaseKind,
  shop: MeasuredShop,
  generator: Generator,
  bare: BareServer,
): Promise<Row[]> {
  return [
    await measureMemory(shop, 'idle'),
    ...(await measureLists(shop, generator, bare)),
    await measureMembersLists(shop, generator),
    ...(await measureAnswers(shop, generator)),
    await measureProgress(shop, generator, bare),
    ...(await soundRows()),
    await measureLogIn(shop, generator),
    await measureFlood(shop, generator),
    await measureMemory(shop, 'after the load'),
    await measureActivations(kind, generator),
  ]

  async function soundRows(): Promise<Row[]> {
    // The same files whatever the database.
    if (kind !== 'embedded') return []
    if (nginxIsInstalled()) return measureSound(shop, generator)
    console.log('nginx is not installed here: nothing to compare the sound with.')
    return []
  }
}
