import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { isPayingDocument, openProvider, type Provider } from './stripe-js.ts'

/** Twice in this time means that the document cannot be had: offline, the worker's shell stands in for it. */
const RELOAD_MS = 15_000
const RELOADED = 'payingDocumentAsked'

interface StripeInUse {
  readonly stripe: Stripe | null
  /** Shown where it is true: no money moves. */
  readonly test: boolean
  readonly failed: boolean
  readonly retry: () => void
}

/**
 * The payment provider for a screen that pays. A document that does not let it in is loaded again first, at the
 * same address and with the same history state; use this before anything can be typed.
 */
export function useStripe(): StripeInUse {
  const [provider, setProvider] = useState<Provider>()
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let gone = false
    if (!isPayingDocument()) {
      if (mayReload()) window.location.reload()
      else setFailed(true)
      return
    }
    openProvider().then(
      (opened) => !gone && setProvider(opened),
      () => !gone && setFailed(true),
    )
    return () => {
      gone = true
    }
  }, [tries])

  const retry = () => {
    sessionStorage.removeItem(RELOADED)
    setFailed(false)
    setTries((count) => count + 1)
  }
  return { stripe: provider?.stripe ?? null, test: provider?.test ?? false, failed, retry }
}

function mayReload(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < RELOAD_MS) return false
  sessionStorage.setItem(RELOADED, String(Date.now()))
  return true
}
