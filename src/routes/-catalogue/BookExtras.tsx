import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { Book } from '#contract/catalogue.ts'
import { authorsOf, pathOf } from '#features/catalogue/model.ts'
import { has } from '#features/shop-details/shop.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { toast } from '#ui/toast.ts'

const SampleText = lazyPart(() => import('./SampleText.tsx'), 'SampleText')

/** A book page's secondary actions: back, read a page, our editions, share. */
export function BookExtras({ book }: { book: Book }) {
  const [reading, setReading] = useState(false)
  const signedIn = useSession((state) => state.status === 'user')
  const offline = !useOnline()
  return (
    <>
      <BackButton />
      {offline && !book.sample && !book.sampleText && book.chapters.length === 0 && (
        <p role="note" style={{ flexBasis: '100%' }}>
          The sample and chapters need a connection.
        </p>
      )}
      {book.sampleText && (
        <Button look="text" tone="title" aria-haspopup="dialog" onClick={() => setReading(true)}>
          Read a sample
        </Button>
      )}
      {signedIn && book.edition && has('editions') && (
        <LinkButton look="text" tone="title" to={book.entityType === 'audioBook' ? '/editions' : '/ebooks'}>
          One of our editions
        </LinkButton>
      )}
      <Button look="text" tone="title" onClick={() => void share(book)}>
        Share
      </Button>
      {book.sampleText && reading && (
        <Suspense>
          <SampleText book={book} text={book.sampleText} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Only if the link that led here asked for it (BOOK-14), and never in the server's markup, which has no history. */
function BackButton() {
  const router = useRouter()
  const asked = useRouterState({ select: ({ location }) => location.state.withBack === true })
  const hydrated = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
  if (!asked || !hydrated) return null
  return (
    <Button look="text" tone="title" onClick={() => router.history.back()}>
      <Icon of={ArrowLeftIcon} size={18} />
      Back
    </Button>
  )
}

/** The system's share sheet if it has one, otherwise the address to paste. */
async function share(book: Book): Promise<void> {
  const url = new URL(pathOf(book), window.location.origin).href
  const words = { title: book.title, text: `${book.title} by ${authorsOf(book)}`, url }
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) await navigator.share(words)
    else {
      await navigator.clipboard.writeText(url)
      toast('Link copied.')
    }
  } catch (problem) {
    // Closing the sheet is not a failure.
    if (!(problem instanceof DOMException && problem.name === 'AbortError'))
      toast(`Copy this address: ${url}`)
  }
}
