import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { HeadphonesIcon } from '@phosphor-icons/react/dist/csr/Headphones'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { Book } from '#contract/catalogue.ts'
import { titleKey } from '#storage/title-key.ts'
import { priced } from '#features/analytics/use-views.ts'
import { track } from '#features/analytics/track.ts'
import { BuyButton } from '#features/bag/BuyButton.tsx'
import { offerOf } from '#features/bag/model.ts'
import { ownBookQuery } from '#features/catalogue/queries.ts'
import { useNoPaymentsYet } from '#features/checkout/queries.ts'
import { carryCover } from '#ui/carry-cover.ts'
import { DownloadButton } from '#features/downloads/DownloadButton.tsx'
import { listenTo } from '#features/player/lazy.ts'
import { connectivity } from '#net/connectivity.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import { AnchorButton, Button, LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { toast } from '#ui/toast.ts'
import { useLogInFirst } from '#routes/-account/use-log-in-first.ts'
import { NoPaymentsYet } from '#routes/-layout/SaleNotes.tsx'
import { PlacesBefore } from '#features/listening/PlacesBefore.tsx'

const AwaitedFile = lazyPart(() => import('./AwaitedFile.tsx'), 'AwaitedFile')
const TitleMenu = lazyPart(() => import('#features/queue/TitleMenu.tsx'), 'TitleMenu')
const NoDownload = lazyPart(() => import('./BookDialogs.tsx'), 'NoDownload')

export function BookActions({ book }: { book: Book }) {
  const logIn = useLogInFirst()
  const costs = ['buy', 'gift', 'claim'].includes(offerOf(book))
  const closed = useNoPaymentsYet() && costs
  const buy = (
    <BuyButton
      key={`${book.entityType}/${book.slug}`}
      book={book}
      onLogInFirst={logIn}
      onAdded={(added) => void track((events) => events.addToCart(priced(added, isPremium())))}
    />
  )
  // Keyed, so that the button keeps its state when the elements around it change.
  if (book.inLibrary) {
    const Owned = book.entityType === 'audioBook' ? OwnedAudioBook : OwnedEBook
    return [<Owned key="owned" book={book} />, buy, closed && <PaidByCodes key="closed" />]
  }
  // A book that can't be bought here may still have a sample; the server decides (BOOK-23).
  return [
    buy,
    book.sample ? <SampleButton key="sample" book={book} /> : null,
    closed && <PaidByCodes key="closed" />,
  ]
}

const PaidByCodes = () => <NoPaymentsYet>A code that covers the whole price already works.</NoPaymentsYet>

const isPremium = () => currentSession().user?.currentSubscription != null

function OwnedAudioBook({ book }: { book: Book }) {
  const navigate = useNavigate()
  const ref = { slug: book.slug, kind: 'book' } as const
  if (book.sampleOnly && book.sample) return <SampleButton book={book} />
  if (book.audioFiles.length === 0) return <p>Its files aren’t ready yet. They won’t be long.</p>
  return (
    <>
      <Button
        tone="title"
        onClick={() =>
          void listenTo(ref, () => {
            carryCover('player-cover', document.querySelector('[style*="book-cover"]'))
            void navigate({ to: '/player/$slug', params: { slug: book.slug }, viewTransition: true })
          })
        }
      >
        <Icon of={PlayIcon} size={18} filled />
        Play
      </Button>
      <DownloadButton titleKey={titleKey('audio', book.slug)} of={book.title} tone="title" />
      <Suspense>
        <TitleMenu titleKey={titleKey('audio', book.slug)} title={book.title} />
      </Suspense>
      <PlacesBefore slug={book.slug} />
    </>
  )
}

function OwnedEBook({ book }: { book: Book }) {
  if (book.download)
    return (
      <>
        <LinkButton tone="title" to="/read/$slug" params={{ slug: book.slug }}>
          <Icon of={BookOpenIcon} size={18} />
          Read
        </LinkButton>
        <EBookFile slug={book.slug} href={book.download} />
        <DownloadButton titleKey={titleKey('ebook', book.slug)} of={book.title} tone="title" />
        <Suspense>
          <TitleMenu titleKey={titleKey('ebook', book.slug)} title={book.title} />
        </Suspense>
      </>
    )
  if (book.hideDownload) return <WithoutFile />
  return (
    <Suspense>
      <AwaitedFile slug={book.slug} />
    </Suspense>
  )
}

/** A link that can be copied. A press fetches a new one, because each expires after a short time. */
function EBookFile({ slug, href }: { slug: string; href: string }) {
  const queryClient = useQueryClient()
  const save = async () => {
    const ownerUuid = currentOwner() ?? ''
    const address = async () =>
      connectivity.snapshot() === 'offline'
        ? null
        : (await queryClient.fetchQuery({ ...ownBookQuery('e_books', slug, ownerUuid), staleTime: 0 }))
            ?.download
    const { saveEBook } = await import('#features/downloads/save-e-book.ts')
    if (!(await saveEBook({ ownerUuid, slug, address })))
      toast('That didn’t save. Check your connection and try again.')
  }
  return (
    <AnchorButton
      look="quiet"
      tone="title"
      href={href}
      download
      onClick={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      Download e-book
    </AnchorButton>
  )
}

function WithoutFile() {
  const [asked, setAsked] = useState<boolean>()
  return (
    <>
      <Button tone="title" onClick={() => setAsked(true)}>
        <Icon of={BookOpenIcon} size={18} />
        Read
      </Button>
      {asked !== undefined && (
        <Suspense>
          <NoDownload open={asked} onOpenChange={setAsked} />
        </Suspense>
      )}
    </>
  )
}

function SampleButton({ book }: { book: Book }) {
  const navigate = useNavigate()
  const ref = { slug: book.slug, kind: 'sample' } as const
  return (
    <Button
      look="quiet"
      tone="title"
      onClick={() =>
        void listenTo(ref, () => void navigate({ to: '/sample/$slug', params: { slug: book.slug } }))
      }
    >
      <Icon of={HeadphonesIcon} size={18} />
      Play sample
    </Button>
  )
}
