import { fullName, nameKey, type PersonName, personOf } from '#server/features/catalogue/names.ts'

/**
 * Parses `Kennedy, John F. (John Fitzgerald), 1917-1963`, `Smith, Joseph, Jr.`, `Denny Sayers (d. 2015)`.
 * @param turned the catalogue writes every name as “Last, First”: one without a comma is an organisation
 */
export function cataloguePerson(name: string, turned: boolean): PersonName | undefined {
  const bare = name
    .replace(/\s*\[[^\]]*\]|\s*\([^)]*\)?/g, '')
    .replace(/,\s*(active|approximately|born|died|fl\.|b\.|d\.|ca\.)\s.*$/i, '')
    .replace(/,\s*-?\d{2,4}\??( BCE?)?\s*(-\s*(\d{2,4}\??( BCE?)?)?)?$/, '')
    .replace(/[\s,]+$/, '')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(bare)) return undefined
  const [last = '', first, ...rest] = bare.split(/,\s*/)
  const suffix = rest.find((part) => /^([JS]r\.?|[IVX]+)$/.test(part))
  const person =
    first === undefined
      ? turned
        ? { firstName: '', lastName: bare }
        : personOf(bare)
      : { firstName: first.trim(), lastName: suffix ? `${last} ${suffix}` : last }
  return fullName(person) === '' ? undefined : person
}

export function eachOnce(people: readonly (PersonName | undefined)[]): PersonName[] {
  const known = new Map<string, PersonName>()
  for (const person of people) if (person && !known.has(nameKey(person))) known.set(nameKey(person), person)
  return [...known.values()]
}
