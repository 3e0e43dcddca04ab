import type { ShopFile } from '#contract/shop-details.ts'
import type { SettingField, SettingSection } from './sections.ts'

export type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The section's part of the file. VAT is a list of lines here, and by country in the file. */
export function valuesOf({ keys }: SettingSection, file: ShopFile): Values {
  const all: Values = { ...file, vat: vatLines(file.vat) }
  return Object.fromEntries(keys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])))
}

/** What to send: each key of the section, null for none. */
export function changesOf({ keys }: SettingSection, values: Values): Values {
  return Object.fromEntries(
    keys.map((key) => {
      const value = cleaned(values[key])
      return [key, (key === 'vat' ? vatByCountry(value) : value) ?? null]
    }),
  )
}

const vatLines = (vat: ShopFile['vat']): unknown[] | undefined =>
  vat && Object.entries(vat).flatMap(([country, rates]) => rates.map((rate) => ({ country, ...rate })))

function vatByCountry(lines: unknown): Values | undefined {
  if (!Array.isArray(lines)) return undefined
  const byCountry: Record<string, unknown[]> = {}
  for (const { country = '', ...rate } of lines.filter(isValues))
    (byCountry[String(country).toUpperCase()] ??= []).push(rate)
  return byCountry
}

/** Without blanks around texts, and without empty texts, lists and groups. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || undefined
  if (Array.isArray(value)) {
    const items = value.map(cleaned).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (!isValues(value)) return value ?? undefined
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, cleaned(inner)] as const)
    .filter(([, inner]) => inner !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

export function valueAt(values: Values, path: string): unknown {
  let value: unknown = values
  for (const key of path.split('.')) value = isValues(value) ? value[key] : undefined
  return value
}

export function withValue(values: Values, path: string, value: unknown): Values {
  const [key = '', ...rest] = path.split('.')
  const inner = values[key]
  const next = rest.length > 0 ? withValue(isValues(inner) ? inner : {}, rest.join('.'), value) : value
  const { [key]: _, ...others } = values
  return next === undefined ? others : { ...others, [key]: next }
}

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** How a field shows its value as text. */
export function textOf({ kind }: SettingField, value: unknown): string {
  if (!Array.isArray(value)) return textIn(value)
  if (kind === 'links')
    return value.map((link) => (isValues(link) ? `${textIn(link.title)} ${textIn(link.url)}` : '')).join('\n')
  return value.join(kind === 'words' ? ' ' : '\n')
}

/** What a typed text means. The server says what is wrong with it. */
export function valueOfText({ kind }: SettingField, text: string): unknown {
  if (text === '') return undefined
  if (kind === 'number') return /^\d+$/.test(text.trim()) ? Number(text) : text
  if (kind === 'words') return text.toUpperCase().split(/[\s,]+/)
  if (kind === 'lines') return text.split('\n')
  if (kind !== 'links') return text
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, title = line.trim(), url = ''] = /^(.*?)\s+(\S+)\s*$/.exec(line.trimStart()) ?? []
      return { title, url }
    })
}

export const rowsOf = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? value.filter(isValues) : []
