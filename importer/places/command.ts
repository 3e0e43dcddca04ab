import { readFile } from 'node:fs/promises'
import { withShop } from '#server/commands/open-shop.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import { bringPlaces } from './bring.ts'
import { readPlaces } from './read-places.ts'

/** Prints only counts for stored places: they are private. Returns the exit code. */
export async function placesCommand(file: string, dryRun: boolean): Promise<number> {
  const json = await readFile(file, 'utf8').catch(() => {
    throw new BadSetting(`${file} cannot be read.`)
  })
  const given = readPlaces(json)
  const { stand, later, notBegun, unmatched } = await withShop((shop) => bringPlaces(shop, given, { dryRun }))
  for (const line of unmatched) console.log(`left out ${line}`)
  const figures = [
    `${stand} ${dryRun ? 'found' : stand === 1 ? 'place stands' : 'places stand'}`,
    ...(dryRun ? [] : [`${later} heard later here`]),
    `${notBegun} not begun`,
    `${unmatched.length} left out`,
  ]
  console.log(`${figures.join(', ')}.${dryRun ? ' Dry run: nothing was written.' : ''}`)
  return unmatched.length > 0 ? 1 : 0
}
