import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { Navigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import type { User } from '#contract/account.ts'
import type { Gift } from '#contract/gifts.ts'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { joinedToOpen } from '#features/account/gift-link.ts'
import { authorsOf, coverOf, lengthOf, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import {
  beginsWords,
  claimFound,
  type Found,
  type GiftKind,
  giftQuery,
  type seeGift,
  useClaimed,
  waitingGiftQuery,
  waitingGiftsQuery,
  waitingMembershipsQuery,
} from '#features/gifts/claim.ts'
import { ThankGiver } from '#features/gifts/ThankGiver.tsx'
import { GIFT_COLOURS, OpenedGift } from '#features/gifts/GiftCard.tsx'
import { giftTitle } from '#features/gifts/occasions.ts'
import { ownKey } from '#features/query-keys.ts'
import { freeAudiobooks, plans } from '#features/shop-details/plans.ts'
import { has } from '#features/shop-details/shop.ts'
import { listenTo } from '#features/samples/store.ts'
import { NetProblem } from '#net/problem.ts'
import { reloadUser } from '#session/session.ts'
import { logOut } from '#session/log-out.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Flock } from '#ui/Flock.tsx'
import { serverMessage, useWrite } from '../../writes/use-write.ts'
import { Outcome } from '#routes/-layout/Outcome.tsx'
import styles from './gifts.module.css'

interface OpenGiftScreenProps {
  kind: GiftKind
  email?: string | undefined
  token?: string | undefined
  gift?: string | undefined
}

/**
 * The page that a gift's email links to: the account with the gift's address claims it (ACC-25 to ACC-27).
 */
export function OpenGiftScreen({ kind, email = '', token, gift }: OpenGiftScreenProps) {
  const ready = useSession((state) => state.ready)
  const user = useSession((state) => state.user)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready) return <div aria-busy="true" />
  if (signedIn && !user) return <WhoIsHere />
  const link = { kind, email, token, gift }
  if (!user) return token ? <ForAVisitor {...link} token={token} /> : <ToLogIn {...link} />
  if (email !== '' && user.email.toLowerCase() !== email.toLowerCase())
    return <ForAnotherAddress {...link} user={user} />
  return <Mine {...link} />
}

function WhoIsHere() {
  const owner = useSession((state) => state.owner?.uuid)
  const query = useQuery({
    queryKey: ownKey(owner, 'who-is-here'),
    queryFn: () => reloadUser().then(() => true),
    networkMode: 'always',
    gcTime: 0,
  })
  return <NotYet query={query} />
}

interface Link {
  readonly kind: GiftKind
  readonly email: string
  readonly token: string | undefined
  readonly gift?: string | undefined
}

const Mine = ({ kind, token, gift }: Link) =>
  token || gift ? (
    <ClaimGift kind={kind} token={token} waiting={gift} />
  ) : (
    <Navigate to={KINDS[kind].to} replace />
  )

/** Passed on through log-in and sign-up (OP-21). */
const carried = ({ kind, email, token }: Link) => ({
  ...(email ? { email } : {}),
  ...(token ? { token } : {}),
  ...(kind === 'membership' ? { type: 'subscription' } : {}),
})

interface NotYetProps {
  query: Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>
}

/** The gift is being fetched, couldn't be fetched, or doesn't exist (null). */
const NotYet = ({ query: { data, error, isFetching, refetch } }: NotYetProps) =>
  data === null ? (
    <GiftProblem />
  ) : error ? (
    <GiftProblem problem={error} busy={isFetching} onRetry={() => void refetch()} />
  ) : (
    <div aria-busy="true" />
  )

/** The recipient sees the gift before any form: the giver, the gift, and the message. */
function ForAVisitor(link: Link & { token: string }) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  const gift = useQuery(giftQuery(link.kind, link.token))
  if (!gift.data) return <NotYet query={gift} />
  const search = carried(link)
  return (
    <>
      <PageHead title="Your gift" hidden />
      <GiftShown
        found={gift.data}
        ways={(claimed) => (
          <>
            {!claimed && (
              <LinkButton to="/sign-up" search={search} look="beak" tone="title" tall>
                Create an account to keep it
              </LinkButton>
            )}
            <LinkButton to="/login" search={{ from, ...search }} look="quiet" tone="title" tall>
              I have an account
            </LinkButton>
          </>
        )}
      />
    </>
  )
}

/** ACC-25. Read the URL only once: during the navigation it is already the next page's. */
function ToLogIn({ kind, email, token }: Link) {
  const router = useRouter()
  const [from] = useState(() => router.state.location.href)
  useEffect(() => {
    const search = { from, ...carried({ kind, email, token }) }
    void router.navigate({ to: '/login', search, replace: true })
  }, [router, from, kind, email, token])
  return null
}

/** Gifts to an earlier, confirmed address of this account can still be claimed. */
function ForAnotherAddress({ user, ...link }: Link & { user: User }) {
  const books = useQuery({ ...waitingGiftsQuery(user.uuid), enabled: link.kind === 'book' })
  const memberships = useQuery({
    ...waitingMembershipsQuery(user.uuid),
    enabled: link.kind === 'membership',
  })
  const waiting = link.kind === 'book' ? books : memberships
  if (!waiting.data) return <NotYet query={waiting} />
  const addresses = waiting.data['hydra:member'].map(({ giftEmail }) => giftEmail.toLowerCase())
  return addresses.includes(link.email.toLowerCase()) ? (
    <Mine {...link} />
  ) : (
    <ForSomebodyElse {...link} mine={user.email} />
  )
}

/**
 * ACC-27. On a shared device, another user may be logged in: logging out leads to the log-in for the gift.
 */
function ForSomebodyElse({ mine, ...link }: Link & { mine: string }) {
  const router = useRouter()
  const { write, busy } = useWrite(async () => {
    const from = router.state.location.href
    await logOut()
    await router.navigate({ to: '/login', search: { from, ...carried(link) } })
  })
  return (
    <Outcome
      name="Your gift"
      title="This gift was sent to a different address."
      words={`You’re logged in as ${mine}. Please log in or register with ${link.email}, the address it was sent to.`}
      ways={
        <Button look="beak" busy={busy} onClick={() => void write()}>
          Use another account
        </Button>
      }
    />
  )
}

/** Where a claimed gift can be found (ACC-26). */
const KINDS = {
  book: { to: '/library', words: 'Go to your library' },
  membership: { to: '/subscription-details', words: 'Your membership' },
} as const

interface ClaimGiftProps {
  kind: GiftKind
  /** From the link in the email. */
  token?: string | undefined
  /** The id of one of the user's unclaimed gifts, instead of a token. */
  waiting?: string | undefined
}

/** Shows the gift to its recipient. Nothing is claimed until they press the button; then it starts on this page. */
function ClaimGift({ kind, token, waiting }: ClaimGiftProps) {
  const queryClient = useQueryClient()
  const claimed = useClaimed()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const isMember = useSession((state) => state.user?.currentSubscription != null)
  const [isNew, setNew] = useState(false)
  const options = token === undefined ? waitingGiftQuery(kind, owner, waiting ?? '') : giftQuery(kind, token)
  const gift = useQuery(options)
  const show = (found: Found) => queryClient.setQueryData<Found | null>(options.queryKey, found)

  const {
    write: claim,
    busy,
    refusal,
  } = useWrite((found: Found) => claimFound(found, token), {
    async onSuccess(opened) {
      setNew(true)
      // An answer from before the claim must not replace this one.
      await queryClient.cancelQueries({ queryKey: options.queryKey })
      show(opened)
      announce(await claimed(opened))
    },
    onFailure: (problem) => announce(serverMessage(problem), 'assertive'),
    message: serverMessage,
  })
  const claimOnceJoined = useEffectEvent((found: Found) => {
    if (joinedToOpen(token)) void claim(found)
  })
  useEffect(() => {
    if (gift.data) claimOnceJoined(gift.data)
  }, [gift.data])

  // The list of unclaimed gifts no longer has it.
  if (gift.data === null && token === undefined) return <Navigate to={KINDS[kind].to} replace />
  if (!gift.data) return <NotYet query={gift} />
  const found = gift.data
  return (
    <>
      <PageHead title="Your gift" hidden />
      <GiftShown
        found={found}
        problem={refusal}
        waits={kind === 'membership' && isMember}
        ways={(isClaimed) => (
          <>
            {!isClaimed && (
              <Button look="beak" tone="title" tall busy={busy} onClick={() => void claim(found)}>
                {kind === 'book' ? 'Add it to my library' : isMember ? 'Keep it for later' : 'Begin'}
              </Button>
            )}
            {isClaimed && isOwn(found) && <Start found={found} isNew={isNew} />}
            {(isClaimed || refusal) && (
              <LinkButton to={KINDS[kind].to} look="quiet" tone="title" tall>
                {KINDS[kind].words}
              </LinkButton>
            )}
            {isClaimed && <ThankGiver found={found} onThanked={show} />}
          </>
        )}
      />
    </>
  )
}

/** This account claimed it, not another one. */
function isOwn({ kind, gift }: Found): boolean {
  if (gift.thanks !== null) return true
  if (kind === 'subscriptions') return gift.subscription !== null || gift.startsAt !== null
  return (gift.audioBook ?? gift.eBook)?.inLibrary === true
}

/** The first thing to do with an opened gift: listen, read, or choose the first free audiobook. */
function Start({ found: { kind, gift }, isNew }: { found: Found; isNew: boolean }) {
  const canChoose = useSession(({ user }) => user?.hasCredit === true)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that had the focus is gone. A free audiobook may be known a moment later.
    if (isNew && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }, [isNew, canChoose])
  return (
    <div ref={place} className={styles.start}>
      {kind === 'subscriptions' ? (
        gift.state === 'begun' &&
        canChoose && (
          <LinkButton
            to="/subscriber-selection"
            search={{ page: 1, itemsPerPage: 12 }}
            look="beak"
            tone="title"
            tall
          >
            {isNew ? 'Choose your first audiobook' : 'Choose your audiobook'}
          </LinkButton>
        )
      ) : gift.audioBook ? (
        <Button look="beak" tone="title" tall onClick={() => listenTo(gift.audioBook!.slug)}>
          Listen now
        </Button>
      ) : (
        gift.eBook && (
          <LinkButton to="/read/$slug" params={{ slug: gift.eBook.slug }} look="beak" tone="title" tall>
            Read now
          </LinkButton>
        )
      )}
    </div>
  )
}

interface GiftShownProps {
  found: NonNullable<Awaited<ReturnType<typeof seeGift>>>
  ways: (claimed: boolean) => ReactNode
  problem?: string
  /** The recipient has a membership of their own; the gift starts when that one ends. */
  waits?: boolean
}

type Shown<G> = Omit<GiftShownProps, 'found'> & { gift: G }

const GiftShown = ({ found, ...rest }: GiftShownProps) =>
  found.kind === 'subscriptions' ? (
    <Membership gift={found.gift} {...rest} />
  ) : (
    <Book gift={found.gift} {...rest} />
  )

const CLAIMED = 'This gift has already been claimed'

function Membership({ gift, ways, problem = '', waits = false }: Shown<MembershipGift>) {
  const { plan, giverName, giftRecipientFirstName, giftMessage, giftEmail } = gift
  const [length, name] = giftTitle(plan)
  const claimed = gift.state !== 'unclaimed'
  const { creditsPerMonth } = plans()[plan]
  return (
    <OpenedGift
      theme={GIFT_COLOURS.gift}
      picture={
        <div className={styles.sky} data-wrapped={claimed ? undefined : ''}>
          <Flock className={styles.flock} />
        </div>
      }
      recipient={giftRecipientFirstName}
      giver={giverName}
      title={
        <>
          {length} <i>{name}</i>
        </>
      }
      note={giftMessage}
      facts={[
        creditsPerMonth === 0
          ? `Member prices on every title${has('journal') ? ', and every recording in the journal' : ''}`
          : `${freeAudiobooks(creditsPerMonth)} every month, chosen by you and yours for good`,
        claimed
          ? !isOwn({ kind: 'subscriptions', gift })
            ? CLAIMED
            : gift.state === 'waiting'
              ? beginsWords(gift.startsAt)
              : 'It’s yours. It ends automatically. No card, nothing to pay'
          : waits
            ? 'Starts when your own membership ends. No card, nothing to pay'
            : 'Starts the day you claim it and ends automatically. No card, nothing to pay',
      ]}
      ways={ways(claimed)}
      problem={problem}
      small={<Small email={giftEmail} giver={giverName} />}
    />
  )
}

function Book({ gift, ways, problem = '' }: Shown<Gift>) {
  const { giverName, giftMessage, giftEmail, claimedAt } = gift
  const book = gift.audioBook ?? gift.eBook
  if (!book) return null
  const narrators = narratorsOf(book)
  return (
    <OpenedGift
      theme={themeOf(book)}
      picture={
        <div className={styles.cover} data-wrapped={claimedAt === null ? '' : undefined}>
          <Cover picture={coverOf(book)} alt={book.coverAlt} sizes="(min-width: 900px) 460px, 58vw" hero />
        </div>
      }
      giver={giverName}
      title={<i>{book.title}</i>}
      note={giftMessage}
      facts={[
        `${[authorsOf(book), narrators && `read by ${narrators}`].filter(Boolean).join(', ')}. ${lengthOf(book).replaceAll(' ', '\u00a0')}`,
        !claimedAt
          ? 'Yours to keep. No card, nothing to pay'
          : book.inLibrary
            ? 'It’s in your library, yours to keep'
            : CLAIMED,
      ]}
      ways={ways(claimedAt !== null)}
      problem={problem}
      small={<Small email={giftEmail} giver={giverName} />}
    />
  )
}

const Small = ({ email, giver }: { email: string; giver: string }) => (
  <p>
    For {email}. Not your address? Ask {giver || 'whoever gave it'} to correct it.
  </p>
)

interface GiftProblemProps {
  /** Why it can't be opened; undefined if the link is invalid. */
  problem?: unknown
  busy?: boolean
  onRetry?: () => void
}

/** A gift that can't be opened, and what to do about it. */
function GiftProblem({ problem, busy = false, onRetry }: GiftProblemProps) {
  if (problem instanceof NetProblem && problem.status === 422) return <NoLonger why={problem.description} />
  if (problem !== undefined)
    return (
      <Outcome
        name="Your gift"
        title="We can’t open your gift just now."
        words="It’s still there for you. Please try again in a moment."
        ways={
          <Button look="solid" busy={busy} onClick={onRetry}>
            Try again
          </Button>
        }
      />
    )
  return (
    <Outcome
      name="Your gift"
      title="We can’t find this gift."
      words="The link may be incomplete, or the gift was taken back. You can also log in and use the code from the same email, in your library or under Your membership."
      ways={<Help />}
    />
  )
}

/** The server's words say which of its reasons it is. */
const NoLonger = ({ why }: { why: string }) =>
  why.startsWith('This present can be opened') ? (
    <Outcome
      name="Your gift"
      title="It isn’t time yet."
      words={`${why} Keep the card: its code works from then on.`}
      ways={
        <LinkButton to="/browse" look="solid">
          Browse the shelves
        </LinkButton>
      }
    />
  ) : why.includes('new link') ? (
    <Outcome
      name="Your gift"
      title="A new link was sent."
      words="Your gift is waiting; only this link has been replaced. Open the newest email about it, and look in your junk mail if it isn’t there."
      ways={<Help />}
    />
  ) : (
    <Outcome
      name="Your gift"
      title="This gift has lapsed."
      words="It could be claimed for 24 months, and that time is over. We’re sorry it didn’t reach you sooner."
      ways={<Help />}
    />
  )

const Help = () => (
  <LinkButton to="/info/$slug" params={{ slug: 'support' }} look="solid">
    Ask for help
  </LinkButton>
)
