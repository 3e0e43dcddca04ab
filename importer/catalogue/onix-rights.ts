import type { OnixNode } from './onix-node.ts'

export interface Rights {
  readonly countries: readonly string[]
  readonly nowhere: boolean
  readonly note?: string
}

const codesIn = (nodes: readonly OnixNode[], name: string): string[] =>
  nodes.flatMap((node) => node.text('Territory', name).split(/\s+/).filter(Boolean))

/**
 * Converts sales rights to a list of blocked countries. SalesRightsType 01, 02, 07 and 08 allow the sale; the others
 * forbid it. `ROW` is the rest of the world, which is open only if the record says so.
 */
export function blockedBy(publishing: OnixNode): Rights {
  const rights = publishing.all('SalesRights')
  if (rights.length === 0) return { countries: [], nowhere: false }
  const isForSale = (node: OnixNode) => /^0[1278]$/.test(node.text('SalesRightsType'))
  const [open, closed] = [rights.filter(isForSale), rights.filter((node) => !isForSale(node))]

  const openRegions = codesIn(open, 'RegionsIncluded')
  const openCountries = new Set(codesIn(open, 'CountriesIncluded'))
  const everywhere =
    openRegions.some((region) => region === 'WORLD' || region === 'ROW') ||
    /^0[1278]$/.test(publishing.text('ROWSalesRightsType')) ||
    (open.length === 0 && !codesIn(closed, 'RegionsIncluded').includes('WORLD'))
  const shut = new Set([
    ...codesIn(open, 'CountriesExcluded'),
    ...codesIn(closed, 'CountriesIncluded'),
    ...(everywhere ? [] : COUNTRIES),
  ])
  for (const country of openCountries) shut.delete(country)

  // Parts of a country, such as GB-SCT: the shop blocks whole countries only.
  const parts = [...openRegions, ...rights.flatMap((node) => codesIn([node], 'RegionsExcluded'))].filter(
    (region) => region.includes('-') || region === 'ECZ',
  )
  const countries = [...shut].filter((code) => /^[A-Z]{2}$/.test(code)).sort()
  return {
    countries,
    nowhere: !everywhere && openCountries.size === 0,
    ...(parts.length > 0
      ? {
          note: `Sales rights name ${parts.join(', ')}, which is not a whole country; they are not applied there.`,
        }
      : {}),
  }
}

/** Codes of present and former countries; a former one does no harm. */
const COUNTRIES = countries()

function countries(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  return letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => names.of(code) !== code)
}
