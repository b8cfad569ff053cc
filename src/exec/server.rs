//! Waits for requests of the program and of the processes that it starts. Each process has a connection and a context of its own.

use super::context::Context;
use super::service::Service;
use super::wire::{reply, Request};
use anyhow::{Context as _, Result};
use std::collections::HashMap;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Between two looks whether the program has ended, and whether the user wants it to.
const OFTEN: Duration = Duration::from_millis(5);

enum Event {
    Connected(u64, UnixStream),
    Asked(u64, Request),
    /// With what is wrong, unless the process closed the connection.
    Gone(u64, Option<std::io::Error>),
}

/// Ends a launch early: because of Ctrl-C, or because the process that waits for it is gone.
#[derive(Clone)]
pub struct Stop {
    /// The flag that the launch looks at. Ctrl-C sets it too.
    pub flag: Arc<AtomicBool>,
    /// The connection whose request is being done; 0: none.
    busy: Arc<AtomicU64>,
    /// Set together with the flag if it was not Ctrl-C.
    gone: Arc<AtomicBool>,
}

impl Stop {
    /// With the flag of Ctrl-C.
    pub fn new(flag: Arc<AtomicBool>) -> Self {
        Stop { flag, busy: Arc::default(), gone: Arc::default() }
    }

    fn hung_up(&self, connection: u64) {
        if self.busy.load(Ordering::SeqCst) == connection {
            self.gone.store(true, Ordering::SeqCst);
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// Begins a request, or ends it with 0. True if the process of the request before has gone meanwhile.
    fn set_busy(&self, connection: u64) -> bool {
        self.busy.store(connection, Ordering::SeqCst);
        let gone = self.gone.swap(false, Ordering::SeqCst);
        if gone {
            self.flag.store(false, Ordering::SeqCst);
        }
        gone
    }
}

/// Serves until the program has ended, and gives its end.
///
/// # Errors
/// The cause that ends the command early: Ctrl-C, or a request that cannot be done.
pub fn serve(listener: UnixListener, mut child: Child, service: &mut Service, stop: &Stop) -> Result<ExitStatus> {
    let (events, received) = channel();
    accept(listener, events, stop.clone());
    let ended = service.statistics.begin().and_then(|()| answer_all(&received, &mut child, service, stop));
    if ended.is_err() {
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

fn answer_all(events: &Receiver<Event>, child: &mut Child, service: &mut Service, stop: &Stop) -> Result<ExitStatus> {
    let mut clients: HashMap<u64, (UnixStream, Context)> = HashMap::new();
    loop {
        match events.recv_timeout(OFTEN) {
            Ok(Event::Connected(connection, stream)) => {
                clients.insert(connection, (stream, service.context()));
            }
            Ok(Event::Asked(connection, request)) => {
                let Some((stream, context)) = clients.get_mut(&connection) else { continue };
                stop.set_busy(connection);
                let (status, payload) = service.answer(context, &request);
                if stop.set_busy(0) {
                    service.fatal = None;
                }
                if let Some(fatal) = service.fatal.take() {
                    return Err(fatal);
                }
                if reply(stream, status, &payload).is_err() {
                    clients.remove(&connection);
                }
            }
            Ok(Event::Gone(connection, error)) => {
                clients.remove(&connection);
                if let Some(error) = error {
                    eprintln!("unruly: a process of the program is not understood: {error}");
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                if let Some(status) = child.try_wait().context("the program")? {
                    return Ok(status);
                }
                if stop.flag.load(Ordering::Relaxed) {
                    anyhow::bail!(crate::exit::Interrupted::default());
                }
            }
        }
    }
}

/// Takes connections, each with a thread that reads its requests.
fn accept(listener: UnixListener, events: Sender<Event>, stop: Stop) {
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let connection = number as u64 + 1;
            let Ok(stream) = stream else { continue };
            let (Ok(answers), events, stop) = (stream.try_clone(), events.clone(), stop.clone()) else { continue };
            if events.send(Event::Connected(connection, answers)).is_err() {
                return;
            }
            thread::spawn(move || read_all(connection, stream, &events, &stop));
        }
    });
}

fn read_all(connection: u64, mut stream: UnixStream, events: &Sender<Event>, stop: &Stop) {
    loop {
        let event = match Request::read(&mut stream) {
            Ok(Some(request)) => Event::Asked(connection, request),
            Ok(None) => Event::Gone(connection, None),
            Err(error) => {
                Event::Gone(connection, Some(error).filter(|e| e.kind() != std::io::ErrorKind::ConnectionReset))
            }
        };
        let is_last = matches!(event, Event::Gone(..));
        if is_last {
            stop.hung_up(connection);
        }
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}
