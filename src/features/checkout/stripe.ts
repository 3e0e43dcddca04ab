import type { Stripe, StripeCardNumberElement, StripeElements } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { reloadPage, tabStorage } from '#storage/page-storage.ts'
import { openProvider } from './stripe-js.ts'

interface StripeInUse {
  readonly stripe: Stripe | null
  readonly failed: boolean
  readonly retry: () => void
}

/**
 * Stripe for a screen that takes payments. The screen's loader calls `enterPayingDocument` first, because a
 * reload after the first keystroke would lose input.
 */
export function useStripe(): StripeInUse {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let gone = false
    const open = async () => {
      await enterPayingDocument()
      if (!isPayingDocument()) throw new Error('This document lets no payment provider in.')
      return openProvider()
    }
    open().then(
      (opened) => !gone && setStripe(opened),
      () => !gone && setFailed(true),
    )
    return () => {
      gone = true
    }
  }, [tries])

  const retry = () => {
    forgetReload()
    setFailed(false)
    setTries((count) => count + 1)
  }
  return { stripe, failed, retry }
}

/**
 * A second reload within this time means that the document isn't available: offline, the service worker
 * serves its shell instead.
 */
const RELOAD_MS = 15_000
const ASKED = 'payingDocumentAsked'

/**
 * True if this document's content security policy allows Stripe's script and iframes. Only a document opened
 * at a payment page does: the policy belongs to the document and survives client-side navigation.
 */
export const isPayingDocument = (): boolean => document.querySelector('meta[name="payments"]') !== null

/**
 * Reloads the document if its policy doesn't allow Stripe, at the target URL and with its history state;
 * until then the previous screen stays. Returns if no reload is needed, or if the last one failed.
 */
export async function enterPayingDocument(): Promise<void> {
  // The reload succeeded: clear its time, so that the next visit within 15 seconds can reload again.
  if (isPayingDocument()) return forgetReload()
  if (!mayReload()) return
  // The router updates the history just after it starts to load the screen.
  await new Promise((resolve) => setTimeout(resolve))
  reloadPage()
  await new Promise(() => undefined)
}

/** Allows another reload at once, for a buyer who presses "Try again". */
export const forgetReload = (): void => tabStorage.removeItem(ASKED)

function mayReload(): boolean {
  const last = Number(tabStorage.getItem(ASKED) ?? 0)
  if (Date.now() - last < RELOAD_MS) return false
  tabStorage.setItem(ASKED, String(Date.now()))
  return true
}

interface Confirmation {
  readonly method: 'card' | 'paypal'
  readonly secret: string
  readonly returnUrl: string
  readonly card: StripeCardNumberElement | undefined
  readonly name: string
}

/**
 * Confirms the payment at Stripe: a card on this page, with a 3-D Secure dialog above it; PayPal by a
 * redirect to its own page. `failed` is only what Stripe reports (see `payFor`).
 */
export async function confirmPayment(
  stripe: Stripe | null,
  { method, secret, returnUrl, card, name }: Confirmation,
): Promise<'done' | 'failed'> {
  if (!stripe) return 'failed'
  if (method === 'paypal') {
    // PAY-22: PayPal for later payments is a set-up, with the same return URL.
    const { error } = isSetup(secret)
      ? await stripe.confirmPayPalSetup(secret, { return_url: returnUrl })
      : await stripe.confirmPayPalPayment(secret, { return_url: returnUrl })
    return error ? 'failed' : 'done'
  }
  if (!card) return 'failed'
  const how = {
    payment_method: { card, billing_details: { name: name.trim() } },
    return_url: returnUrl,
  }
  // PAY-20: a set-up stores a card, a payment charges it.
  const { error, intent } = isSetup(secret)
    ? await stripe.confirmCardSetup(secret, how).then((said) => ({ ...said, intent: said.setupIntent }))
    : await stripe.confirmCardPayment(secret, how).then((said) => ({ ...said, intent: said.paymentIntent }))
  if (error) return 'failed'
  return intent?.status === 'succeeded' || intent?.status === 'processing' ? 'done' : 'failed'
}

/** Confirms what a buyer approved in a wallet; the bank's dialog, if any, opens above the page. */
export async function confirmByWallet(
  stripe: Stripe | null,
  { elements, secret, returnUrl }: { elements: StripeElements; secret: string; returnUrl: string },
): Promise<'done' | 'failed'> {
  const how = {
    elements,
    clientSecret: secret,
    confirmParams: { return_url: returnUrl },
    redirect: 'if_required',
  } as const
  const said = isSetup(secret) ? await stripe?.confirmSetup(how) : await stripe?.confirmPayment(how)
  return !said || said.error ? 'failed' : 'done'
}

/** Check the prefix only: the random part of a payment's secret may contain the same letters. */
const isSetup = (secret: string) => secret.startsWith('seti_')

export async function confirmStored(stripe: Stripe | null, secret: string): Promise<'done' | 'failed'> {
  const { error } = stripe ? await stripe.confirmCardPayment(secret) : { error: true }
  return error ? 'failed' : 'done'
}
