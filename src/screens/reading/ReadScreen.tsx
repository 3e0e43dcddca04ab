import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import type { CannotOpen } from '#features/reading/open-file.ts'
import { Reader } from '#features/reading/Reader.tsx'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { GoInstead } from '#app/GoInstead.tsx'
import { PageHead } from '#app/PageHead.tsx'

/** Reads an owned e-book in the whole window. */
export function ReadScreen({ slug }: { slug: string }) {
  const { data: shown } = useQuery({ ...bookQuery('e_books', slug), retryOnMount: false })
  const ownerUuid = useSession((state) => state.owner?.uuid)
  const ready = useSession((state) => state.ready)
  const asks = useSession((state) => state.status === 'user')
  const own = useQuery({
    ...ownBookQuery('e_books', slug, ownerUuid ?? ''),
    enabled: asks && ownerUuid !== undefined,
  })
  const queryClient = useQueryClient()
  const close = useClose(slug)
  const title = (own.data ?? shown)?.title
  const book = useMemo(() => {
    if (title === undefined || ownerUuid === undefined) return undefined
    const query = ownBookQuery('e_books', slug, ownerUuid)
    const address = async (anew: boolean) =>
      (await queryClient.fetchQuery(anew ? { ...query, staleTime: 0 } : query))?.download ?? null
    return { slug, title, ownerUuid, address }
  }, [slug, title, ownerUuid, queryClient])

  // Whose downloads and places these are has to be known before the book is opened.
  if (!ready) return <div aria-busy="true" />
  if (ownerUuid === undefined) return <GoInstead to="/access-denied" />
  if (!book)
    return own.isError || own.data === null ? <GoInstead to="/access-denied" /> : <div aria-busy="true" />
  return (
    <>
      <PageHead title={book.title} hidden />
      <Reader
        book={book}
        onClose={close}
        failed={(why) => <NotOpened slug={slug} why={why} onClose={close} />}
      />
    </>
  )
}

function NotOpened({ slug, why, onClose }: { slug: string; why: CannotOpen['why']; onClose: () => void }) {
  // The book's page explains what is wrong with its file.
  if (why === 'no-file') return <Navigate to="/ebooks/$slug" params={{ slug }} replace />
  const [title, help] =
    why === 'no-answer'
      ? ['This book needs a connection.', 'Download it once, and it opens in any tunnel.']
      : ['We can’t open this book here.', 'Its file is damaged, or in a format we can’t show.']
  return (
    <Wrap>
      <Empty
        title={title}
        help={help}
        level="h1"
        action={<Button onClick={onClose}>Back to the book</Button>}
      />
    </Wrap>
  )
}

/** Back to where the reader came from, or to the book's page. */
function useClose(slug: string) {
  const router = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else void navigate({ to: '/ebooks/$slug', params: { slug } })
  }
}
