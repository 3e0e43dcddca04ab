import { useQueries, type QueryClient } from '@tanstack/react-query'
import { CHOICES, MOST_HOURS, type BookFilter, type Choice } from './filter.ts'
import type { BookKind } from './model.ts'
import {
  categoriesQuery,
  locationsQuery,
  nationalitiesQuery,
  publishersQuery,
  stylesQuery,
} from './queries.ts'

export interface Option {
  readonly id: number
  readonly label: string
}

/** (LIST-05, LIST-23) */
export const CHOICE_LABELS: Readonly<Record<Choice, string>> = {
  styles: 'Style',
  categories: 'Category',
  locations: 'Geographical setting',
  publishers: 'Publisher',
  nationalities: 'Author nationality',
}

/** The chips need their names with the first render, so load the filters that the address uses. */
export async function loadOptions(queryClient: QueryClient, filter: BookFilter): Promise<void> {
  const wanted = CHOICES.filter((choice) => filter[choice].length > 0)
  await Promise.all(wanted.map((choice) => QUERIES[choice](queryClient)))
}

const QUERIES: Record<Choice, (queryClient: QueryClient) => Promise<unknown>> = {
  styles: (queryClient) => queryClient.ensureQueryData(stylesQuery()),
  categories: (queryClient) => queryClient.ensureQueryData(categoriesQuery()),
  locations: (queryClient) => queryClient.ensureQueryData(locationsQuery()),
  publishers: (queryClient) => queryClient.ensureQueryData(publishersQuery()),
  nationalities: (queryClient) => queryClient.ensureQueryData(nationalitiesQuery()),
}

/** The options of every filter; undefined while they load. `enabled`: only once they are visible. */
export function useFilterOptions(
  kind: BookKind,
  enabled: boolean,
): Partial<Record<Choice, readonly Option[] | undefined>> {
  const [styles, categories, locations, publishers, nationalities] = useQueries({
    queries: [
      { ...stylesQuery(), enabled, select: titled },
      { ...categoriesQuery(), enabled, select: visibleCategories },
      { ...locationsQuery(), enabled, select: titled },
      { ...publishersQuery(), enabled, select: named },
      { ...nationalitiesQuery(), enabled: enabled && kind === 'audio_books', select: nationalitiesWithBooks },
    ],
  })
  return {
    styles: styles.data,
    categories: categories.data,
    locations: locations.data,
    publishers: publishers.data,
    ...(kind === 'audio_books' ? { nationalities: nationalities.data } : {}),
  }
}

// The same functions each time, so that the options keep their identity and their groups aren't rendered again.
type Found<T> = { readonly 'hydra:member': readonly T[] }
const titled = (found: Found<{ id: number; title: string }>): Option[] =>
  found['hydra:member'].map(({ id, title }) => ({ id, label: title }))
const named = (found: Found<{ id: number; name: string }>): Option[] =>
  found['hydra:member'].map(({ id, name }) => ({ id, label: name }))
const visibleCategories = (found: Found<{ id: number; name: string; visible: boolean }>): Option[] =>
  named({ 'hydra:member': found['hydra:member'].filter(({ visible }) => visible) })
const nationalitiesWithBooks = (found: Found<{ id: number; title: string; audioBooks: number }>): Option[] =>
  titled({ 'hydra:member': found['hydra:member'].filter(({ audioBooks }) => audioBooks > 0) })

export function lengthWords(length: number, kind: BookKind): string {
  if (kind === 'e_books') return `${length} pages or more`
  if (length === MOST_HOURS) return '9 hours or less'
  return length === 1 ? '1 hour or more' : `${length} hours or more`
}

/** Adds or removes an id; the listing starts again at its first page (LIST-10). */
export const toggled =
  (choice: Choice, id: number) =>
  (filter: BookFilter): BookFilter => ({ ...filter, [choice]: withOrWithout(filter[choice], id), page: 1 })

export const withOrWithout = (chosen: readonly number[], id: number): readonly number[] =>
  chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].sort((a, b) => a - b)

/** The same length again clears it (LIST-09). */
export const withLength =
  (length: number) =>
  (filter: BookFilter): BookFilter => ({
    ...filter,
    length: filter.length === length ? undefined : length,
    page: 1,
  })

export const cleared = (filter: BookFilter): BookFilter => ({
  page: 1,
  itemsPerPage: filter.itemsPerPage,
  styles: [],
  categories: [],
  locations: [],
  publishers: [],
  nationalities: [],
  length: undefined,
})

export const isNarrowed = (filter: BookFilter): boolean =>
  filter.length !== undefined || CHOICES.some((choice) => filter[choice].length > 0)
