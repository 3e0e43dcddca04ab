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
import { checkRatios, keepRatios } from './kept-ratios.ts'
import { isMissed, printMachine, printTable, type Row } from './report.ts'
import { type MeasuredShop, openShop } from './shop.ts'

/**
 * `npm run bench`: measures the shop and prints ratios. `npm run bench -- server` or `-- browser` runs one half; `--
 * lists progress` runs single measures of the server. `--check` fails if a value is a quarter worse than the one that
 * `--keep` stored.
 */
const asked = process.argv.slice(2)
const isAsked = (name: string) => asked.includes(name)
const measures = Object.keys(serverMeasures()).filter(isAsked)
printMachine()
const rows: Row[] = []
if (!isAsked('browser')) {
  rows.push(...(await measureServer()))
}
if (!isAsked('server') && measures.length === 0) {
  if (chromiumIsInstalled()) {
    const found = await measureBrowser()
    printTable('In the browser', found)
    rows.push(...found)
  } else console.log('\nChromium is not installed here: nothing was measured in the browser.')
}
if (isAsked('--keep')) keepRatios(rows)
if (isAsked('--check')) checkRatios(rows)
const missed = rows.filter(isMissed).length
console.log(missed === 0 ? '\nEvery goal is reached.' : `\n${missed} of ${rows.length} goals are missed.`)

async function measureServer(): Promise<Row[]> {
  const shop = await openShop()
  const generator = startGenerator()
  const bare = await startBareServer()
  try {
    const found: Row[] = []
    for (const [name, measure] of Object.entries(serverMeasures()))
      if (measures.length === 0 || measures.includes(name))
        found.push(...[await measure({ shop, generator, bare })].flat())
    printTable(`Server, ${shop.stock.titles.toLocaleString('en-GB')} titles`, found)
    return found
  } finally {
    await Promise.all([generator.stop(), bare.stop(), shop.close()])
  }
}

interface Measured {
  readonly shop: MeasuredShop
  readonly generator: Generator
  readonly bare: BareServer
}

/** In the order in which they run; the keys are the names on the command line. */
function serverMeasures(): Record<string, (of: Measured) => Promise<Row | Row[]>> {
  return {
    idle: ({ shop }) => measureMemory(shop, 'idle'),
    lists: ({ shop, generator, bare }) => measureLists(shop, generator, bare),
    members: ({ shop, generator }) => measureMembersLists(shop, generator),
    answers: ({ shop, generator }) => measureAnswers(shop, generator),
    progress: ({ shop, generator, bare }) => measureProgress(shop, generator, bare),
    sound: async ({ shop, generator }) => {
      if (nginxIsInstalled()) return measureSound(shop, generator)
      console.log('nginx is not installed here: nothing to compare the sound with.')
      return []
    },
    'log-in': ({ shop, generator }) => measureLogIn(shop, generator),
    flood: ({ shop, generator }) => measureFlood(shop, generator),
    memory: ({ shop }) => measureMemory(shop, 'after the load'),
    cards: ({ generator }) => measureActivations(generator),
  }
}
