import { join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { command, reading, typed } from './run-command.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { readPlace } from '../settings/config.ts'
import type { ShopFile } from '#contract/shop-details.ts'
import { SHOP_FILE } from '../settings/owners-details.ts'
import { draftPages } from '../features/shop-details/draft-pages.ts'
import { newShop, shopOf, QUESTIONS } from '../features/shop-details/new-shop.ts'
import { PictureRefused } from '../features/shop-details/pictures.ts'
import { readShopFile } from '../features/shop-details/read-file.ts'

const newShopUsage = `Usage: npm run new-shop
       npm run new-shop -- --name "Harbour Lane" [--address "1 Harbour Lane; Whitby; United Kingdom" …] [--pages]
       npm run new-shop -- --check
       npm run new-shop -- --pages

Asks for your shop’s name, its looks and its seller, and writes them to shop.json in DATA_DIR. A running shop applies
the file within a minute. Run it again to change an answer, or edit the file.

  --check  lists the mistakes in the existing shop.json, by line
  --pages  writes drafts of the pages that the law requires, with gaps for what only you know

With any of the following options it asks nothing, for scripts. Options that you leave out stay as they are; a minus
sign (--icon -) removes an answer.

${QUESTIONS.map(({ option, asks }) => `  --${option.padEnd(16)} ${asks}`).join('\n')}`

const parseNewShopArgs = reading(
  newShopUsage,
  {
    check: { type: 'boolean' },
    pages: { type: 'boolean' },
    ...Object.fromEntries(QUESTIONS.map(({ option }) => [option, { type: 'string' }] as const)),
  },
  ({ values: { check, pages, ...others }, positionals }) => {
    const given = Object.fromEntries(
      Object.entries(others).flatMap(([option, text]) => (typeof text === 'string' ? [[option, text]] : [])),
    )
    const asked = { check: check === true, pages: pages === true, given }
    const isContradiction = asked.check && (asked.pages || Object.keys(given).length > 0)
    return positionals.length > 0 || isContradiction ? newShopUsage : asked
  },
)

await command(async () => {
  const { check, pages, given } = typed(parseNewShopArgs)
  const { dataDir } = readPlace()
  if (check) return sayWhatIsWrong(dataDir)
  if (Object.keys(given).length > 0) {
    const file = await shopOf(dataDir, given)
    console.log(
      `${file.name} is stored in ${join(dataDir, SHOP_FILE)}. A running shop applies it within a minute.`,
    )
    return pages ? writePages(file, dataDir) : 0
  }
  if (pages) return writePages(await fileIn(dataDir), dataDir)
  if (!process.stdin.isTTY)
    throw new BadSetting(
      `This is no terminal, so nobody can answer. Use options such as --name (see --help), or write ${join(dataDir, SHOP_FILE)} and --check it.`,
    )
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const ask = (question: string) => lines.question(question)
    const file = await newShop(dataDir, { say: (line) => console.log(line), ask })
    console.log(
      `\n${file.name} is stored in ${join(dataDir, SHOP_FILE)}. A running shop applies it within a minute.`,
    )
    const wanted = await ask(
      '\nDrafts of the pages that the law asks for, too (terms, privacy, imprint …)? [Y/n] ',
    )
    if (/^(y(es)?)?$/i.test(wanted.trim())) await writePages(file, dataDir)
  } finally {
    lines.close()
  }
  return 0
}, [PictureRefused])

async function sayWhatIsWrong(dataDir: string): Promise<number> {
  const found = await readShopFile(dataDir)
  if (!found) throw new BadSetting(`There is no ${join(dataDir, SHOP_FILE)} yet: npm run new-shop writes it.`)
  if ('said' in found) {
    console.log(`${SHOP_FILE} is right: the shop is called ${found.said.file.name}.`)
    return 0
  }
  for (const mistake of found.mistakes) console.error(`${SHOP_FILE} ${mistake}`)
  return 1
}

async function fileIn(dataDir: string): Promise<ShopFile> {
  const found = await readShopFile(dataDir)
  if (found && 'said' in found) return found.said.file
  throw new BadSetting(
    found ? found.mistakes.map((mistake) => `${SHOP_FILE} ${mistake}`).join('\n') : 'First: npm run new-shop',
  )
}

async function writePages(file: ShopFile, dataDir: string): Promise<number> {
  const folder = join(dataDir, 'drafts')
  for (const { path, gaps, kept } of await draftPages(file, folder)) {
    const state = kept ? 'was there already and is left as it is' : 'written'
    console.log(
      `${relative('.', path)}: ${state}, ${gaps === 0 ? 'no gap' : gaps === 1 ? '1 gap' : `${gaps} gaps`}.`,
    )
  }
  console.log(`
They are drafts for a lawyer. Fill in what stands in [[double brackets]], have them read, and bring them in:
npm run import -- ${relative('.', folder)}`)
  return 0
}
