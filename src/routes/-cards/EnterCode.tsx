import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { addressOf, codeInHash, typedCode } from '#features/cards/model.ts'
import { RedemptionSteps } from './CardTitle.tsx'
import { beginAgain, type StoredCode, storeTyped, useRedemption } from '#features/cards/store.ts'
import { SupportMail } from '#features/cards/WhomToAsk.tsx'
import { coverOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './redemption.module.css'
import { useRedeem } from '#features/cards/redeem.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { Field } from '#ui/Field.tsx'
import { useWrite } from '#writes/use-write.ts'

interface EnterCodeProps {
  spiSIN: string | null
  title: BookCard | null
}

/** Where a code is typed, and where a card's QR code leads (RDM-01). */
export function EnterCode({ spiSIN, title }: EnterCodeProps) {
  const code = useTypedCode(spiSIN)
  const notice = useRedemption((state) => state.notice)
  const owned = useRedemption((state) => state.owned)
  const { redeem } = useRedeem(spiSIN)
  if (owned && owned.spiSIN === spiSIN) return <AlreadyOwned owned={owned} />
  return (
    <Wrap className={styles.enter}>
      <PageHead
        title={`Someone handed you ${title?.title ?? 'a story'}`}
        description="The code on your card turns into an audiobook. It takes three steps and is yours to keep."
        {...(spiSIN === null ? { canonical: '/redemption' } : { hidden: true })}
      />
      <div>
        <Display as="h1" size="lg">
          Someone handed you{' '}
          {title ? (
            <i>{title.title}</i>
          ) : (
            <>
              a <i>story</i>
            </>
          )}
          .
        </Display>
        <p className={styles.lead}>
          The code on your card turns into an audiobook. It takes three steps and is yours to keep.
        </p>
        <RedemptionSteps>
          <RedemptionForm code={code} onType={storeTyped} onRedeem={redeem} notice={notice} />
        </RedemptionSteps>
        <p className={styles.help}>
          Trouble with a code? <SupportMail />
        </p>
      </div>
      {title ? (
        <Cover
          className={styles.cover}
          picture={coverOf(title)}
          alt={title.coverAlt}
          sizes="(min-width: 768px) 420px, 0px"
        />
      ) : (
        <CardsPicture className={styles.picture} />
      )}
    </Wrap>
  )
}

/** The field's value; empty until hydration, because the server knows no code. */
function useTypedCode(spiSIN: string | null): string {
  const router = useRouter()
  const [isHydrated, setHydrated] = useState(false)
  const typed = useRedemption((state) => state.typed)
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored.code : ''))
  const hash = router.state.location.hash
  useLayoutEffect(() => setHydrated(true), [])
  useEffect(() => {
    const code = codeInHash(hash)
    if (code === '') return
    storeTyped(code)
    // Remove the code from the address, so that it is in no history and no shared link.
    void router.navigate({ to: '.', hash: '', replace: true })
  }, [router, hash])
  return isHydrated ? typed || stored : ''
}

/** Shown before the code is used, so that it can be given to another reader. */
function AlreadyOwned({ owned }: { owned: StoredCode }) {
  const router = useRouter()
  const { audioBook, code, spiSIN } = owned
  const passOn = async () => {
    const { href } = router.buildLocation(addressOf({ step: 'enter', spiSIN }))
    const url = `${router.origin ?? ''}${href}#${encodeURIComponent(code)}`
    try {
      if ('share' in navigator) await navigator.share({ title: audioBook.title, url })
      else await copy(url)
    } catch (problem) {
      // The share dialog was closed.
      if (!(problem instanceof DOMException && problem.name === 'AbortError'))
        await copy(url).catch(() => undefined)
    }
  }
  return (
    <Wrap className={styles.owned}>
      <PageHead title="You already have this one" hidden />
      <div className={styles.ownedCover}>
        <Cover picture={coverOf(audioBook)} alt="" sizes="180px" />
      </div>
      <div>
        <Display as="h1" size="lg">
          You already have <i>{audioBook.title}</i>.
        </Display>
        <p className={styles.ownedLead}>
          So we haven’t used your code. The card is still good: pass it on, and somebody else can hear it too.
        </p>
        <p className={styles.code}>{code}</p>
        <div className={styles.ways}>
          <Button look="beak" onClick={() => void passOn()}>
            Pass it on
          </Button>
          <LinkButton to="/library" look="quiet">
            Open your library
          </LinkButton>
          <Link className="text-link" {...addressOf({ step: 'enter', spiSIN })} onClick={beginAgain}>
            Redeem another code
          </Link>
        </div>
      </div>
    </Wrap>
  )
}

async function copy(url: string): Promise<void> {
  await navigator.clipboard.writeText(url)
  toast('Copied. Send the link to whoever should hear it.')
}

interface RedemptionFormProps {
  code: string
  onType: (code: string) => void
  onRedeem: (code: string) => Promise<unknown>
  /** Why the code was not redeemed. */
  notice: string
}

/** One field and one button (RDM-01, RDM-02). */
function RedemptionForm({ code, onType, onRedeem, notice }: RedemptionFormProps) {
  const { write, busy } = useWrite(onRedeem)
  const typed = typedCode(code)

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== '') void write(typed)
      }}
    >
      <Field
        className={styles.redemptionCode}
        label="Redemption Code"
        value={code}
        onChange={(event) => onType(event.target.value)}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
        readOnly={busy}
      />
      {notice && (
        <p className={styles.notice} role="alert">
          {notice}
        </p>
      )}
      <Button
        type="submit"
        look="beak"
        block
        busy={busy}
        disabledReason={typed === '' ? 'Enter your code first.' : undefined}
      >
        Redeem your audiobook
      </Button>
    </form>
  )
}

/** A picture of an audiobook card. */
const CardsPicture = ({ className }: { className?: string | undefined }) => (
  <svg
    className={className}
    viewBox="0 0 560 400"
    role="img"
    aria-label="An audiobook card: the code is printed inside, under the title"
  >
    <g transform="rotate(-7 280 200)">
      <rect x="82" y="22" width="400" height="256" rx="14" fill="var(--ink)" />
      <g fill="var(--paper)">
        {FLOCK.map(([x, y, tilt]) => (
          <path
            key={`${x} ${y}`}
            transform={`translate(${x} ${y}) rotate(${tilt})`}
            d="m-5 0 5-2 5 2-5 1.500z"
          />
        ))}
      </g>
    </g>
    <g transform="translate(62 84) rotate(3 218 146)">
      <rect width="440" height="280" rx="14" fill="#A93B31" />
      <path d="M262 0h164a14 14 0 0 1 14 14v104z" fill="#F0A94F" />
      <path d="M262 0l178 118-214 26z" fill="#C9663C" />
      <g fill="#FBEBDD">
        <g fontFamily="var(--font-display)" fontWeight="500" fontSize="34" letterSpacing="-.7">
          <text x="28" y="60">
            A story,
          </text>
          <text x="28" y="96">
            read to you
          </text>
        </g>
        <text x="28" y="174" fontFamily="var(--font-text)" fontSize="17">
          Your redemption code
        </text>
        <path d="M28 186h384v64H28z" />
      </g>
      <g fill="#3A1512">
        {[0, 1, 2, 3].map((group) => (
          <path key={group} d={`M${48 + group * 88} 212h66v12h-66z`} />
        ))}
      </g>
    </g>
  </svg>
)

const FLOCK = Array.from({ length: 64 }, (_, index) => {
  const along = (index * 0.618_034) % 1
  const across = ((index * 0.754_878) % 1) - 0.5
  return [
    Math.round(250 + along * 215),
    Math.round(92 - along * 52 + across * (70 - along * 40)),
    Math.round(across * 60 - 20),
  ] as const
})
