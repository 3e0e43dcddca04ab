import type { QueryClient } from '@tanstack/react-query'
import {
  browseQuery,
  categoriesQuery,
  publishersPageQuery,
  stylesQuery,
} from '#features/catalogue/queries.ts'
import { homepageQuery } from '#features/home/queries.ts'
import { firstShelf, openLinks } from '#features/shop-details/shop.ts'

/** The shelves of the browse screen that are no category, and where each goes on. */
const SECTIONS = [
  { title: 'Editions', mark: { edition: true }, to: '/editions', search: { _page: 1, itemsPerPage: 5 } },
  {
    title: 'Collection',
    mark: {},
    get to() {
      return firstShelf().to
    },
    search: {},
  },
  { title: 'Current Highlights', mark: { highlight: true }, to: '/subscriber-selection', search: {} },
] as const

/** Those that this shop has. */
export const sectionsHere = () => openLinks(SECTIONS)

export async function loadBrowse(queryClient: QueryClient, styles: readonly number[]): Promise<void> {
  const categories = await queryClient.ensureQueryData(categoriesQuery())
  await Promise.all([
    queryClient.ensureQueryData(stylesQuery()),
    queryClient.ensureQueryData(publishersPageQuery()),
    queryClient.ensureQueryData(homepageQuery()),
    ...sectionsHere().map(({ mark }) => queryClient.ensureQueryData(browseQuery({ ...mark, styles }))),
    ...categories['hydra:member']
      .filter(({ visible }) => visible)
      .map(({ id }) => queryClient.ensureQueryData(browseQuery({ category: id, styles }))),
  ])
}
