import { BarcodeIcon } from '@phosphor-icons/react/dist/csr/Barcode'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { Button } from '#ui/Button.tsx'
import { EmailField, Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './point-of-sale.module.css'
import {
  ACTIVATED,
  canActivate,
  explanationOf,
  headingOf,
  isBuyerEmail,
  notYetWords,
  priceOf,
  type Sold,
} from '#features/outlets/activation.ts'
import { announce } from '#ui/announce.ts'
import { scan } from '#features/outlets/scanner.ts'
import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { Display } from '#ui/Display.tsx'
import { cx } from '#ui/cx.ts'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '#features/cards/queries.ts'
import { Mail, Phone } from '#features/cards/WhomToAsk.tsx'

interface ActivationFormProps {
  code: string
  email: string
  emailRequired: boolean
  busy: boolean
  /** The code was refused: it is marked, and typing replaces it. */
  refused: boolean
  scanning: boolean
  onType: (code: string) => void
  onAddress: (email: string) => void
  onActivate: () => void
  onScan: () => void
}

/** One field that always has the focus: a scanner types into it and presses Enter (RESL-05 to RESL-09). */
export function ActivationForm(props: ActivationFormProps) {
  const { code, email, emailRequired, busy, refused, scanning } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (scanning || isTyping(field.current)) return
    field.current?.focus({ preventScroll: true })
    if (refused) field.current?.select()
  }, [refused, scanning, busy])
  useStrayKeys(field)

  const emailIsWrong = !isBuyerEmail(email, emailRequired)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onActivate()
    field.current?.focus({ preventScroll: true })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.code}>
        <Field
          ref={field}
          label="Activation code"
          value={code}
          onChange={(event) => props.onType(event.target.value)}
          // The button accepts no press while a card is being sent; the field does.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            props.onActivate()
          }}
          placeholder="Next card"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={64}
          className={refused ? styles.refused : undefined}
          aria-required
        />
        <button type="button" className={styles.scan} onClick={props.onScan} aria-pressed={scanning}>
          <Icon of={BarcodeIcon} size={26} />
          Scan
        </button>
      </div>
      <EmailField
        label={
          <>
            Buyer email{' '}
            <span className={styles.optional}>
              ({emailRequired ? 'required, for the receipt' : 'optional, for a receipt'})
            </span>
          </>
        }
        autoComplete="off"
        value={email}
        onChange={(event) => props.onAddress(event.target.value)}
        aria-required={emailRequired}
        error={email.trim() !== '' && emailIsWrong ? MESSAGES.emailMustBeValid : undefined}
      />
      <Button
        type="submit"
        look="beak"
        tall
        busy={busy}
        aria-disabled={!canActivate({ code, email, emailRequired })}
      >
        Activate card
      </Button>
    </form>
  )
}

/** True if another field has the focus: an email address must not become a code. */
const isTyping = (field: HTMLInputElement | null) =>
  document.activeElement instanceof HTMLInputElement && document.activeElement !== field

/** A scanner types wherever the focus is; without a focused field, direct its keys into this one. */
function useStrayKeys(field: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    const onKey = ({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (target === document.body && key.length === 1 && !ctrlKey && !metaKey && !altKey)
        field.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [field])
}

interface CardScannerProps {
  onFound: (text: string) => void
  onStop: () => void
}

export function CardScanner({ onFound, onStop }: CardScannerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [failed, setFailed] = useState(false)
  const found = useEffectEvent(onFound)
  useEffect(() => {
    const leaving = new AbortController()
    scan(video.current!, leaving.signal).then(
      (text) => text && found(text),
      () => {
        if (leaving.signal.aborted) return
        setFailed(true)
        announce(NO_CAMERA, 'assertive')
      },
    )
    return () => leaving.abort()
  }, [])
  return (
    <div className={styles.scanner}>
      <div className={styles.picture} hidden={failed}>
        <video ref={video} muted playsInline aria-label="Camera picture: hold the barcode inside the frame" />
        <svg viewBox="0 0 420 200" aria-hidden="true" preserveAspectRatio="none">
          <path d="M40 44V18h26M380 44V18h-26M40 156v26h26M380 156v26h-26" />
        </svg>
      </div>
      <p>
        <span>{failed ? NO_CAMERA : 'Hold the barcode in the frame'}</span>
        <button type="button" onClick={onStop}>
          {failed ? 'Close' : 'Stop'}
        </button>
      </p>
    </div>
  )
}

const NO_CAMERA =
  'We can’t use a camera here. Allow it in your browser, or type the number under the barcode.'

interface ActivationResultProps {
  sold: Sold
  cover: ReactNode
  takeBack: ReactNode
}

/** The result for a card, in large type; `useActivation` announces it. */
export function ActivationResult({ sold, cover, takeBack }: ActivationResultProps) {
  if (sold.kind === 'activated') {
    const { audioBook, ending } = sold.activation
    return (
      <div className={cx(styles.result, styles.activated)}>
        <span className={styles.sign}>
          <Icon of={CheckIcon} size={34} />
        </span>
        <div>
          <Display size="lg">{ACTIVATED}</Display>
          <p className={styles.title}>
            {audioBook.title}, {priceOf(sold.activation)}
          </p>
          <p className={styles.more}>It ends {ending}. Hand it over; it can be redeemed now.</p>
          {takeBack}
        </div>
        <div className={styles.cover}>{cover}</div>
      </div>
    )
  }
  const already = sold.kind === 'already'
  return (
    <div className={cx(styles.result, already ? styles.already : styles.resultRefused)}>
      <span className={styles.sign}>
        <Icon of={already ? ArrowUUpLeftIcon : XIcon} size={30} />
      </span>
      <div>
        <Display size="lg">{headingOf(sold)}</Display>
        <p className={styles.more}>{explanationOf(sold)}</p>
        {notYetWords(sold) && <p className={cx(styles.more, styles.notYet)}>{notYetWords(sold)}</p>}
        {sold.kind === 'unknown' && (
          <p className={cx(styles.more, styles.soft)}>
            Still no luck? Keep this card aside and get in touch: <PointOfSaleHelp />
          </p>
        )}
        <p className={styles.answer}>
          {'code' in sold && <span className={styles.resultCode}>{sold.code}</span>}
          {sold.words}
        </p>
      </div>
    </div>
  )
}

/** Phone number or email for booksellers, whose accounts open no other page with them (ROLE-14). */
export function PointOfSaleHelp() {
  const settings = useQuery(settingsQuery()).data
  if (!settings) return null
  const { bookshopPhone, bookshopMail } = settings
  return bookshopPhone === null ? <Mail to={bookshopMail} /> : <Phone number={bookshopPhone} />
}
