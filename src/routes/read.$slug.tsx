import {
  createFileRoute,
  type ErrorComponentProps,
  Navigate,
  useCanGoBack,
  useNavigate,
  useParams,
  useRouter,
} from '@tanstack/react-router'
import { loadBook } from '#features/catalogue/load-book.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { keepOpenedEBook } from '#features/downloads/lazy.ts'
import type { CannotOpen } from '#features/reading/open-file.ts'
import { Reader } from '#features/reading/Reader.tsx'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { FailedScreen } from '#app/problems/FailedScreen.tsx'
import { GoInstead } from '#app/problems/GoInstead.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { NotOnThisDevice } from './-layout/NotOnThisDevice.tsx'

export const Route = createFileRoute('/read/$slug')({
  staticData: { frame: 'whole' },
  // A highlight that is gone to.
  validateSearch: (search: { at?: string | undefined }) => search,
  loader: ({ context, params }) => loadBook(context, 'e_books', params.slug),
  errorComponent: ReadFailed,
  component: () => <ReadScreen slug={Route.useParams().slug} at={Route.useSearch().at} />,
})

/** Reads an owned e-book in the whole window. */
function ReadScreen({ slug, at }: { slug: string; at?: string | undefined }) {
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
  const [attempt, setAttempt] = useState(0)
  const title = (own.data ?? shown)?.title
  const audioBook = (own.data ?? shown)?.audioBook?.slug
  const book = useMemo(() => {
    if (title === undefined || ownerUuid === undefined) return undefined
    const query = ownBookQuery('e_books', slug, ownerUuid)
    const address = async (anew: boolean) =>
      (await queryClient.fetchQuery(anew ? { ...query, staleTime: 0 } : query))?.download ?? null
    const opened = (fetched: ArrayBuffer | undefined) =>
      void keepOpenedEBook(slug, fetched).catch(() => undefined)
    return { slug, title, ownerUuid, address, at, opened, audioBook }
  }, [slug, title, ownerUuid, queryClient, at, audioBook])

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
        key={attempt}
        failed={(why) => (
          <NotOpened slug={slug} why={why} onClose={close} onRetry={() => setAttempt(attempt + 1)} />
        )}
      />
    </>
  )
}

function NotOpened({
  slug,
  why,
  onClose,
  onRetry,
}: {
  slug: string
  why: CannotOpen['why']
  onClose: () => void
  onRetry: () => void
}) {
  // The book's page explains what is wrong with its file.
  if (why === 'no-file') return <Navigate to="/ebooks/$slug" params={{ slug }} replace />
  if (why === 'no-answer') return <NotOnThisDevice onBack={onClose} onRetry={onRetry} />
  return (
    <Wrap>
      <Empty
        title="We can’t open this book here."
        help="Its file is damaged, or in a format we can’t show."
        level="h1"
        action={<Button onClick={onClose}>Back to the book</Button>}
      />
    </Wrap>
  )
}

/** Nothing is known of the book, not even its name. */
function ReadFailed(failure: ErrorComponentProps) {
  const { slug = '' } = useParams({ strict: false })
  const router = useRouter()
  const close = useClose(slug)
  const { error, reset } = failure
  if (!(error instanceof NetProblem && error.kind === 'offline')) return <FailedScreen {...failure} />
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <NotOnThisDevice onBack={close} onRetry={retry} />
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
