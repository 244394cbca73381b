import { createStore } from 'zustand/vanilla';
import { createDecoder } from '#engine/receivers/decode-stream.ts';
import type { LiveFix, ReceiverDecoder, StreamChunk } from '#engine/receivers/live-fix.ts';
import { readRecording } from '#engine/recording/read-recording.ts';
import {
  BEFORE_DRIVE,
  NOT_TIMED,
  type DriveState,
  type KeptRecording,
  type RecordingState,
} from './drive-state.ts';
import type { KeptLap, KeptTrack } from './kept-tracks.ts';
import { LiveTimer } from './live-timer.ts';
import { SignalMeter } from './measure-signal.ts';
import type { Receiver } from './receivers/receiver.ts';
import { findRecordingBytes, saveRecordingEntry } from './storage/kept-recordings.ts';
import { startRecorder, type Recorder } from './storage/record.ts';
import { keepScreenOn } from './wake-lock.ts';

/** The part of the state that positions change. */
type Timed = Pick<DriveState, 'live' | 'recording'>;

/** Gets every position of a drive, for those who share it live. */
export type FixListener = (fix: LiveFix, state: DriveState) => void;

/** Holds the receiver and the drive of this tab. It outlives the page: a drive goes on while the driver looks at a board. */
export class DriveSession {
  readonly store = createStore<DriveState>(() => BEFORE_DRIVE);
  readonly #listeners = new Set<FixListener>();
  #receiver: Receiver | null = null;
  #decoder: ReceiverDecoder | null = null;
  #meter = new SignalMeter();
  #timer = new LiveTimer(null, null);
  #recorder: Recorder | null = null;
  #letScreenGo = (): void => undefined;

  get state(): DriveState {
    return this.store.getState();
  }

  /** Takes positions from a receiver from now on. Throws a `ReceiverError` where it does not answer. */
  async use(receiver: Receiver): Promise<void> {
    await this.#receiver?.stop();
    this.#receiver = receiver;
    this.#decoder = createDecoder(receiver.kind, receiver.name);
    this.#meter = new SignalMeter();
    const { transport, name, kind } = receiver;
    const source = { transport, name, kind, connection: 'connected' as const, description: null };
    this.store.setState({ source, signal: this.#meter.state });
    try {
      await receiver.start({
        onChunk: (chunk) => this.#take(chunk),
        onConnection: (connection) => this.#changeConnection(connection),
      });
      const now = this.state.source;
      if (now === null || this.#receiver !== receiver) return;
      this.store.setState({ source: { ...now, description: receiver.description() } });
    } catch (error) {
      // The driver may have chosen another one meanwhile.
      if (this.#receiver !== receiver) return;
      await this.leaveReceiver();
      throw error;
    }
  }

  async leaveReceiver(): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = null;
    this.store.setState({ source: null, signal: BEFORE_DRIVE.signal });
    await receiver?.stop();
  }

  chooseTrack(track: KeptTrack | null, reference: KeptLap | null): void {
    this.store.setState({ track, reference });
  }

  /** Lets `listener` have every position from now on; the returned function ends that. */
  listen(listener: FixListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Begins a drive: every byte is recorded from this moment, and laps are timed from the first line on. */
  start(): void {
    const { source } = this.state;
    if (source === null || this.state.phase === 'driving') return;
    const startedAtMs = Date.now();
    const id = crypto.randomUUID();
    this.#begin(id, { startedAtMs });
    this.#record(id, { stream: source.kind, model: source.name, startedAtMs });
    void this.#saveEntry('cut');
  }

  /** Goes on with a recording that was cut off; what it holds is timed again first. Returns false where its file cannot be read. */
  async resume(cut: KeptRecording): Promise<boolean> {
    const bytes = await findRecordingBytes(cut.id);
    if (bytes === null) return false;
    // A second tap, or a start, may have come first; and the receiver may have been left.
    const { phase, source } = this.state;
    if (phase !== 'before' || source?.kind !== cut.kind) return true;
    this.#begin(cut.id, { startedAtMs: cut.startedAtMs });
    const decoder = createDecoder(cut.kind, cut.sourceName);
    let timed: Timed = this.state;
    readRecording(bytes, {
      chunk: (chunk) => {
        timed = this.#time(decoder.feed(chunk), timed);
      },
      hole: () => decoder.reset(),
    });
    this.store.setState({ recording: timed.recording, live: this.#timer.markHole() });
    this.#record(cut.id, null);
    return true;
  }

  #begin(id: string, { startedAtMs }: { startedAtMs: number }): void {
    const { track, reference } = this.state;
    this.#timer = new LiveTimer(track?.track ?? null, reference);
    this.#letScreenGo = keepScreenOn();
    this.store.setState({
      phase: 'driving',
      live: NOT_TIMED,
      recording: {
        id,
        startedAtMs,
        endedAtMs: null,
        sealedBytes: 0,
        sealedAtMs: startedAtMs,
        fixes: 0,
        holesMs: [],
        accuracyMeters: null,
        worstAccuracyMeters: null,
        problem: null,
      },
    });
  }

  #record(id: string, header: Parameters<typeof startRecorder>[1]): void {
    this.#recorder = startRecorder(id, header, {
      onSealed: (sealedBytes) => this.#changeRecording({ sealedBytes, sealedAtMs: Date.now() }),
      onFailed: (problem) => this.#changeRecording({ problem }),
    });
  }

  /** Ends the drive; gives its recording once the file is whole, null where nothing is recorded. */
  async end(): Promise<Pick<KeptRecording, 'id' | 'startedAtMs' | 'trackId'> | null> {
    const recorder = this.#recorder;
    const { recording, track } = this.state;
    if (recorder === null || recording === null) return null;
    this.#recorder = null;
    this.#letScreenGo();
    this.store.setState({ phase: 'after', live: this.#timer.view() });
    this.#changeRecording({ endedAtMs: Date.now() });
    const sealedBytes = await recorder.end();
    await this.#saveEntry('kept');
    this.#changeRecording({ sealedBytes, sealedAtMs: Date.now() });
    return { id: recording.id, startedAtMs: recording.startedAtMs, trackId: track?.track.id ?? null };
  }

  /** Returns to the choices before a drive; the receiver stays connected. */
  prepareNext(): void {
    this.store.setState({ phase: 'before', recording: null, live: NOT_TIMED });
  }

  async #saveEntry(state: KeptRecording['state']): Promise<void> {
    const { recording, source, track, live } = this.state;
    if (recording === null) return;
    await saveRecordingEntry({
      id: recording.id,
      startedAtMs: recording.startedAtMs,
      endedAtMs: recording.endedAtMs,
      trackId: track?.track.id ?? null,
      trackName: track?.track.name ?? null,
      sourceName: source?.name ?? 'Receiver',
      kind: source?.kind ?? 'phone',
      state,
      laps: live.laps,
    });
  }

  #take(chunk: StreamChunk): void {
    // The file comes first: what the decoder makes of the bytes can be done again from it.
    this.#recorder?.add({ ...chunk, bytes: chunk.bytes.slice() });
    const fixes = this.#decoder?.feed(chunk) ?? [];
    const { live, recording } = this.#time(fixes, this.state);
    const batteryPercent = this.#receiver?.batteryPercent() ?? this.#meter.state.batteryPercent;
    // One change for all of them: each one renders the screen.
    this.store.setState({ signal: { ...this.#meter.state, batteryPercent }, live, recording });
    for (const fix of fixes) for (const listener of this.#listeners) listener(fix, this.state);
  }

  /** Times positions; returns what they change of the drive. */
  #time(fixes: readonly LiveFix[], before: Timed): Timed {
    let { live, recording } = before;
    for (const fix of fixes) {
      const holeMs = this.#meter.add(fix);
      if (recording === null || recording.endedAtMs !== null) continue;
      if (holeMs > 0) this.#timer.markHole();
      live = this.#timer.add(fix);
      if (fix.latitude !== null) recording = count(recording, fix, holeMs);
    }
    return { live, recording };
  }

  #changeConnection(connection: 'connected' | 'lost'): void {
    const { source } = this.state;
    if (source === null || source.connection === connection) return;
    this.#decoder?.reset();
    if (connection === 'connected') {
      this.#recorder?.markHole(Date.now());
      this.#timer.markHole();
    }
    this.store.setState({ source: { ...source, connection } });
  }

  #changeRecording(change: Partial<NonNullable<DriveState['recording']>>): void {
    const { recording } = this.state;
    if (recording !== null) this.store.setState({ recording: { ...recording, ...change } });
  }
}

function count(recording: RecordingState, { accuracyMeters }: LiveFix, holeMs: number): RecordingState {
  return {
    ...recording,
    fixes: recording.fixes + 1,
    holesMs: holeMs > 0 ? [...recording.holesMs, holeMs] : recording.holesMs,
    accuracyMeters,
    worstAccuracyMeters: worst(recording.worstAccuracyMeters, accuracyMeters),
  };
}

function worst(before: number | null, now: number | null): number | null {
  if (before === null || now === null) return before ?? now;
  return Math.max(before, now);
}

let session: DriveSession | null = null;

/** Returns the drive of this tab. */
export function getDriveSession(): DriveSession {
  return (session ??= new DriveSession());
}
