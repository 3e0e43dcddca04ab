import { create } from 'zustand'
import type { BookCard } from '#contract/catalogue.ts'
import type { RedemptionCode } from '#contract/cards.ts'
import { localStore, tabStorage } from '#storage/page-storage.ts'
import { followOtherTabs } from '#session/tabs.ts'
import { registerUserScope, type TabKey } from '#session/user-scope.ts'

/** A code's title and the bookshop that sold the card (ENT-21). */
export interface StoredCode {
  readonly code: string
  readonly bookshop: string
  readonly audioBook: BookCard
  /** The number of the title on whose pages it was typed, or null. */
  readonly spiSIN: string | null
}
export type Redeemed = Pick<StoredCode, 'bookshop' | 'audioBook' | 'spiSIN'>

interface Redemption {
  /** Valid and waiting for a log-in. Stored on the device, because that may happen in another tab. */
  readonly stored: StoredCode | null
  /** The field's value. Stored in this tab, because the address does not contain it. */
  readonly typed: string
  /** The redeemed code, for the welcome page. */
  readonly redeemed: Redeemed | null
  /** Not used, because the user owns the title. */
  readonly owned: StoredCode | null
  /** Why the code was not redeemed. */
  readonly notice: string
}

const STORED_CODE = 'redemptionCode'
const TYPED = 'redemptionTyped' satisfies TabKey
const REDEEMED = 'redeemedCard' satisfies TabKey

export const useRedemption = create<Redemption>()(() => ({
  stored: read<StoredCode>(localStore.getItem(STORED_CODE), 'code'),
  typed: tabStorage.getItem(TYPED) ?? '',
  redeemed: read<Redeemed>(tabStorage.getItem(REDEEMED), 'audioBook'),
  owned: null,
  notice: '',
}))

export const storedCode = (): StoredCode | null => useRedemption.getState().stored

export function storeTyped(typed: string): void {
  tabStorage.setItem(TYPED, typed)
  useRedemption.setState({ typed, notice: '' })
}

export const storeCode = (code: string, seen: RedemptionCode, spiSIN: string | null): void => {
  const stored = { code, bookshop: seen.outlet.name, audioBook: seen.audioBook, spiSIN }
  localStore.setItem(STORED_CODE, JSON.stringify(stored))
  useRedemption.setState({ stored, owned: null, notice: '' })
}

/** Forgets a used or invalid code in all tabs. */
export function letGo(code: string): void {
  if (storedCode()?.code !== code) return
  localStore.removeItem(STORED_CODE)
  useRedemption.setState({ stored: null })
}

export function welcome(code: string, redeemed: Redeemed): void {
  letGo(code)
  tabStorage.removeItem(TYPED)
  tabStorage.setItem(REDEEMED, JSON.stringify(redeemed))
  useRedemption.setState({ redeemed, typed: '', owned: null, notice: '' })
}

/** The user owns the title, so the card stays valid for another reader. */
export function passOn(owned: StoredCode): void {
  letGo(owned.code)
  tabStorage.removeItem(TYPED)
  useRedemption.setState({ owned, typed: '', notice: '' })
}

export const beginAgain = (): void => useRedemption.setState({ owned: null, notice: '' })

export const giveBack = (notice: string): void => useRedemption.setState({ notice })

/** Follows changes that other tabs make to the code. Returns a function that stops it. */
export const followCodeOfOtherTabs = (): (() => void) =>
  followOtherTabs(STORED_CODE, () =>
    useRedemption.setState({ stored: read<StoredCode>(localStore.getItem(STORED_CODE), 'code') }),
  )

// `stored` belongs to the device, not to a user: its reader has not logged in yet.
registerUserScope('card', {
  close: () => useRedemption.setState({ typed: '', redeemed: null, owned: null, notice: '' }),
})

/** Invalid JSON counts as no code. */
function read<T extends object>(text: string | null, needs: keyof T): T | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this file alone
    return typeof value === 'object' && value !== null && needs in value ? (value as T) : null
  } catch {
    return null
  }
}
