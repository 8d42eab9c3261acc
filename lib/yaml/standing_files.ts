/**
 * Finds what stands at the usual places: the machine's file, the user's, the working
 * directory's.
 *
 * @module
 */

import { FileError, type Ports } from "../ports.ts";

/** What finding files needs. */
export type StandingPorts = Pick<Ports, "files" | "env">;

/** Whose word a file is, earliest first. */
export type StandingLayer = "system" | "user" | "project";

/** A usual place. */
export interface StandingPlace {
  readonly layer: StandingLayer;
  /** Absolute. */
  readonly path: string;
}

/** A file that is there. */
export interface StandingFile extends StandingPlace {
  readonly text: string;
}

/** Makes the error that a file can't be used: why, and what to do about it. */
export type Refusal = (path: string, why: string, remedy: string) => Error;

/**
 * The usual places of a file, in the order of their layers.
 *
 * @param name Such as `policy.yaml`.
 */
export function standingPlaces(
  { files, env }: StandingPorts,
  name: string,
): readonly StandingPlace[] {
  const home = env.get("HOME");
  return [
    { layer: "system", path: `/etc/rein/${name}` },
    ...home ? [{ layer: "user", path: `${home}/.config/rein/${name}` } as const] : [],
    { layer: "project", path: `${files.cwd()}/.rein/${name}` },
  ];
}

/**
 * Reads those files that are there.
 *
 * @throws What `refusal` makes, if one can't be read, or others than root could have written the
 *   machine's.
 */
export function readStanding(
  ports: StandingPorts,
  name: string,
  refusal: Refusal,
): Promise<readonly StandingFile[]> {
  return readPlaces(ports, standingPlaces(ports, name), refusal);
}

/**
 * Reads those files that are there, but for that of the working directory, which may be anybody's.
 *
 * @throws As {@linkcode readStanding}.
 */
export function readOwned(
  ports: StandingPorts,
  name: string,
  refusal: Refusal,
): Promise<readonly StandingFile[]> {
  const places = standingPlaces(ports, name).filter(({ layer }) => layer !== "project");
  return readPlaces(ports, places, refusal);
}

async function readPlaces(
  ports: StandingPorts,
  places: readonly StandingPlace[],
  refusal: Refusal,
): Promise<readonly StandingFile[]> {
  const found = await Promise.all(places.map((place) => readOptional(ports, place, refusal)));
  const standing = found.filter((file) => file !== null);
  const system = standing.find(({ layer }) => layer === "system");
  if (system && !await ports.files.ownedByRoot(system.path)) {
    throw refusal(
      system.path,
      "Root must own this file and its directory, and nobody else may write them",
      "Correct that",
    );
  }
  return standing;
}

async function readOptional(
  { files }: StandingPorts,
  place: StandingPlace,
  refusal: Refusal,
): Promise<StandingFile | null> {
  const { path } = place;
  // A locked build reads no user's home; what it may do is little enough.
  if (!files.readable(path)) return null;
  try {
    // Reading a pipe would wait for ever.
    if ((await files.stat(path)).kind !== "file") throw new TypeError("it is no regular file");
    return { ...place, text: await files.readText(path) };
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return null;
    // What is there and can't be read might forbid something.
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(path, `This can't be read (${why})`, "Make it readable or remove it");
  }
}
