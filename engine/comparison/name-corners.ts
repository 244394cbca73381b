import { toPlane, type Position } from '../geo.ts';
import type { Corner } from './corners.ts';
import { pointAt, type ReferenceLine } from './reference-line.ts';

/** A corner's name and where its apex is: the name stays with the place when the corners are found on another line and counted otherwise. */
export type CornerName = Position & { name: string };

/** The apex of a long bend wanders from line to line; a name that is farther away is that of a corner that was not found. */
const APEX_MAX_METERS = 100;

/** Gives each name to the corner with the nearest apex, and each corner the nearest of its names; null where it has none. */
export function nameCorners<Found extends Corner>(
  corners: readonly Found[],
  line: ReferenceLine,
  names: readonly CornerName[],
): (Found & { name: string | null })[] {
  const apexes = corners.map(({ apexMeters }) => pointAt(line, line.startMeters + apexMeters));
  const named = new Map<number, { name: string; meters: number }>();
  for (const { name, ...position } of names) {
    const { x, y } = toPlane(line.plane, position);
    const distances = apexes.map((apex) => Math.hypot(apex.x - x, apex.y - y));
    const meters = Math.min(...distances);
    const index = distances.indexOf(meters);
    if (meters <= (named.get(index)?.meters ?? APEX_MAX_METERS)) named.set(index, { name, meters });
  }
  return corners.map((corner, index) => ({ ...corner, name: named.get(index)?.name ?? null }));
}
