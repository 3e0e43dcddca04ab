/** Codes that `Intl` has a name for but that are not in ISO 3166-1: former countries, groups, alternative codes. */
const NONE = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ'.split(' '),
)
const NAMES = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'none' })

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !NONE.has(code) && NAMES.of(code) !== undefined

export const countryInWords = (code: string): string => NAMES.of(code) ?? code

const EUROPEAN_UNION = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

export const isInEuropeanUnion = (code: string): boolean => EUROPEAN_UNION.has(code)
