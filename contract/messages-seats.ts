export const SEAT_MESSAGES = {
  full: 'Every seat is taken',
  over: 'This event is over',
  forMembers: 'This evening is for members',
} as const
