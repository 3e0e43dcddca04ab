import { useRouter } from '@tanstack/react-router'

interface GrowingList {
  readonly fetchNextPage: () => Promise<{
    readonly data: { readonly pages: readonly unknown[] } | undefined
    readonly isFetchNextPageError: boolean
  }>
}

/**
 * Brings the next page of a list and has the address say how many stand there now. Who went elsewhere meanwhile,
 * or chose something else, is not called back; what did not come is not written down.
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
