/** The title exists, but has no sound for this listener: not logged in, not owned, or not there yet. */
export class NoSound extends Error {}
