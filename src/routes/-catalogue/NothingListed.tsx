import { MESSAGES } from '#contract/messages.ts'
import type { ListingSearch } from '#features/catalogue/filter.ts'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/Button.tsx'

interface NothingListedProps {
  /** The listing's path and its name in a sentence. */
  path: '/audiobooks' | '/ebooks'
  name: string
  /** The number of pages of what was asked for. */
  last: number
  searchFor: (page: number) => ListingSearch
}

/** An empty page of a listing: nothing matches, or its number is past the last page. */
export const NothingListed = ({ path, name, last, searchFor }: NothingListedProps) =>
  last > 0 ? (
    <Empty
      title={last === 1 ? 'There’s only one page.' : `There are only ${last} pages.`}
      action={
        <LinkButton to={path} look="solid" search={searchFor(last)}>
          {last === 1 ? 'Back to the first page' : 'Go to the last page'}
        </LinkButton>
      }
    />
  ) : (
    <Empty
      title={MESSAGES.noResultsListing}
      action={
        <LinkButton to={path} look="solid">
          See all {name}
        </LinkButton>
      }
    />
  )
