import { useRouter } from '@tanstack/react-router'

interface GrowingList {
  readonly fetchNextPage: () => Promise<{
    readonly data: { readonly pages: readonly unknown[] } | undefined
    readonly isFetchNextPageError: boolean
  }>
}

/**
 * Loads the next page of a list and writes the number of pages into the address: not if somebody went elsewhere
 * meanwhile, and not if the page could not be loaded.
 */
export function useLoadMore(list: GrowingList, write: (pages: number) => void): () => void {
  const router = useRouter()
  const load = async () => {
    const asked = router.latestLocation.href
    const { data, isFetchNextPageError } = await list.fetchNextPage()
    if (data && !isFetchNextPageError && router.latestLocation.href === asked) write(data.pages.length)
  }
  return () => void load()
}
