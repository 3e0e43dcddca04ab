import { create } from 'zustand'

/** The number of titles in the bag, for the header: all of the bag that the first view carries. */
export const useBagCount = create(() => 0)
