import { create } from 'zustand'
import type { GiftCheck } from './model.ts'

interface GiftsState {
  /** By bag item; an item without one stands as the server keeps it. */
  readonly checks: Readonly<Record<string, GiftCheck>>
}

export const useGifts = create<GiftsState>()(() => ({ checks: {} }))

export const setCheck = (uuid: string, check: GiftCheck): void =>
  useGifts.setState(({ checks }) => ({ checks: { ...checks, [uuid]: check } }))

/** Of this item only: the others keep what was found out about them (BAG-24). */
export const forgetGift = (uuid: string): void =>
  useGifts.setState(({ checks }) => {
    const { [uuid]: _gone, ...others } = checks
    return { checks: others }
  })
