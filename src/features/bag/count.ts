import { create } from 'zustand'

/** How many titles the bag holds, for the header: all of the bag that the first view carries. */
export const useBagCount = create(() => 0)
